//! Whether two names may be one person's: never decided here, only asked about.

use decklaw_core::name::fold;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Short names that do not begin as the long ones do.
const SHORT: [(&str, &str); 42] = [
    ("tom", "thomas"),
    ("tommy", "thomas"),
    ("bill", "william"),
    ("bob", "robert"),
    ("dick", "richard"),
    ("ted", "edward"),
    ("ted", "theodore"),
    ("ned", "edward"),
    ("jack", "john"),
    ("hank", "henry"),
    ("harry", "henry"),
    ("chuck", "charles"),
    ("jim", "james"),
    ("mike", "michael"),
    ("tony", "anthony"),
    ("peggy", "margaret"),
    ("meg", "margaret"),
    ("maggie", "margaret"),
    ("liz", "elizabeth"),
    ("beth", "elizabeth"),
    ("betty", "elizabeth"),
    ("kate", "catherine"),
    ("kate", "katherine"),
    ("becky", "rebecca"),
    ("molly", "mary"),
    ("polly", "mary"),
    ("sepp", "josef"),
    ("hans", "johannes"),
    ("hannes", "johannes"),
    ("jens", "johannes"),
    ("fritz", "friedrich"),
    ("klaus", "nikolaus"),
    ("uli", "ulrich"),
    ("pepe", "josé"),
    ("paco", "francisco"),
    ("nacho", "ignacio"),
    ("lola", "dolores"),
    ("gianni", "giovanni"),
    ("zé", "josé"),
    ("kasia", "katarzyna"),
    ("gosia", "małgorzata"),
    ("jasiek", "jan"),
];

/// A name for comparison: without marks above letters, points and dashes.
pub(crate) fn plain(name: &str) -> String {
    let folded = fold(name);
    let mut plain = String::new();
    for letter in folded.nfd().filter(|letter| !is_combining_mark(*letter)) {
        match letter {
            'ß' => plain.push_str("ss"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' => plain.push('d'),
            'ı' => plain.push('i'),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            letter if letter.is_alphanumeric() => plain.push(letter),
            '\'' | '\u{2019}' => {}
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How far two names are from each other that may be one person's; `None`: they are two persons'.
/// 0 is the nearest.
pub(crate) fn distance(one: &str, other: &str) -> Option<usize> {
    if one == other {
        return Some(0);
    }
    let [first, second]: [Vec<&str>; 2] = [one, other].map(|name| name.split(' ').collect());
    let sorted = |words: &[&str]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words.concat()
    };
    if sorted(&first) == sorted(&second) {
        return Some(1);
    }
    if let Some(edits) = misspelt(&first, &second) {
        return Some(1 + edits);
    }
    let mut turned = second.clone();
    turned.rotate_right(1);
    if let Some(edits) = misspelt(&first, &turned) {
        return Some(2 + edits);
    }
    // A space too many or missing.
    if first.concat() == second.concat() {
        return Some(1);
    }
    // `ue` for `ü` and the like.
    let umlauts = |name: &str| {
        name.replace("ae", "a")
            .replace("oe", "o")
            .replace("ue", "u")
    };
    if umlauts(one) == umlauts(other) {
        return Some(1);
    }
    let (few, many) = match first.len() <= second.len() {
        true => (&first, &second),
        false => (&second, &first),
    };
    // Second names, and names of which one alone is said.
    if few.iter().all(|word| many.contains(word)) {
        return Some(if few.len() > 1 { 3 } else { 5 });
    }
    let ([one_given, .., one_family], [other_given, .., other_family]) =
        (first.as_slice(), second.as_slice())
    else {
        return None;
    };
    let short = may_be_short(one_given, other_given) || may_be_short(other_given, one_given);
    (one_family == other_family && short).then_some(4)
}

/// By how many letters two names differ, word by word, where no word is another one: letters that
/// changed places in a short word, one letter in a longer, two in a long one.
fn misspelt(first: &[&str], second: &[&str]) -> Option<usize> {
    if first.len() != second.len() {
        return None;
    }
    let mut all = 0;
    for (one, other) in first.iter().zip(second) {
        let edits = strsim::osa_distance(one, other);
        let letters = |word: &str| {
            let mut letters: Vec<char> = word.chars().collect();
            letters.sort_unstable();
            letters
        };
        let most = match one.chars().count().min(other.chars().count()) {
            0..=3 => usize::from(letters(one) == letters(other)),
            4..=7 => 1,
            _ => 2,
        };
        if edits > most {
            return None;
        }
        all += edits;
    }
    (all <= 2).then_some(all)
}

/// Whether one given name may be short for another: `Max` and `Maximilian`, `K` and `Kim`,
/// `Bob` and `Robert`.
fn may_be_short(one: &str, other: &str) -> bool {
    let (short, long) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    // The last vowel of a short name is often its own: `Tommy`, `Uli`.
    let stem = short.trim_end_matches(['y', 'i', 'e', 'o']);
    let stem = if stem.len() < 2 { short } else { stem };
    let doubled = |stem: &str| {
        let mut letters = stem.chars().rev();
        letters
            .next()
            .is_some_and(|last| letters.next() == Some(last))
    };
    let single = if doubled(stem) {
        &stem[..stem.len() - 1]
    } else {
        stem
    };
    let listed = |pair: &(&str, &str)| {
        (plain(pair.0) == short && plain(pair.1) == long)
            || (plain(pair.0) == long && plain(pair.1) == short)
    };
    long.starts_with(stem) || long.starts_with(single) || SHORT.iter().any(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_may_be_one_persons_are_near_and_others_are_not() {
        let near = |one: &str, other: &str| distance(&plain(one), &plain(other)).is_some();
        for (one, other) in [
            ("Iov Zeller", "Ivo Zeller"),
            ("Zeller Ivo", "Ivo Zeller"),
            ("Zeller, Ivo", "Ivo Zeller"),
            ("José García", "Jose Garcia"),
            ("Jürgen Groß", "Juergen Gross"),
            ("Max Huber", "Maximilian Huber"),
            ("Tommy Berg", "Thomas Berg"),
            ("Bob Ray", "Robert Ray"),
            ("K. Lee", "Kim Lee"),
            ("Ana María López", "Ana López"),
            ("Łukasz Nowak", "Lukasz Nowak"),
            ("Ivo", "Ivo Zeller"),
            ("Eva Falk", "Eve Falk"),
        ] {
            assert!(near(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Ana Berg", "Tom Berg"),
            ("Kim Lee", "Kim Li Wong"),
            ("Ada Birch", "Ben Cole"),
            ("Jo", "Al"),
            ("Kim Ferris", "Tom Ferris"),
            ("Jan Berg", "Jon Berg"),
        ] {
            assert!(!near(one, other), "{one} {other}");
        }
    }
}
