//! Random card queries, answered twice: by the language, and by a plain look at each card.

use crate::oracle::{CARDS, Card, Random, pool};
use decklaw::query::Query;

/// A card query as a tree that is asked of one card at a time.
enum Ask {
    All(Vec<Ask>),
    Any(Vec<Ask>),
    Not(Box<Ask>),
    Part(&'static str),
    Name(&'static str),
    Type(Vec<&'static str>),
    OtherSuit(&'static str),
    Mana(&'static str, i64),
}

impl Ask {
    fn random(random: &mut Random, depth: usize) -> Ask {
        let words = ["monster", "trap", "item", "none"];
        match random.below(if depth == 0 { 5 } else { 9 }) {
            0 => Ask::Part(random.pick::<&str>(&["e", "l", "as", "zz", "and", "or"])),
            1 => Ask::Name(random.pick::<&str>(&["Ash", "Bell", "and", "Nobody"])),
            2 => Ask::Type(
                (0..=random.below(3))
                    .map(|_| *random.pick::<&str>(&words))
                    .collect(),
            ),
            3 => Ask::OtherSuit(random.pick::<&str>(&["red", "blue", "gold"])),
            4 => Ask::Mana(
                random.pick::<&str>(&[":", "=", "!=", "<", "<=", ">", ">="]),
                random.below(6) as i64 - 2,
            ),
            5 | 6 => Ask::All(Ask::some(random, depth)),
            7 => Ask::Any(Ask::some(random, depth)),
            _ => Ask::Not(Box::new(Ask::random(random, depth - 1))),
        }
    }

    fn some(random: &mut Random, depth: usize) -> Vec<Ask> {
        (0..2 + random.below(2))
            .map(|_| Ask::random(random, depth - 1))
            .collect()
    }

    fn holds(&self, card: &Card) -> bool {
        match self {
            Ask::All(parts) => parts.iter().all(|part| part.holds(card)),
            Ask::Any(parts) => parts.iter().any(|part| part.holds(card)),
            Ask::Not(part) => !part.holds(card),
            Ask::Part(part) => card.name.to_lowercase().contains(part),
            Ask::Name(name) => card.name == *name,
            Ask::Type(kinds) => kinds.contains(&card.kind),
            Ask::OtherSuit(suit) => !card.suit.is_empty() && card.suit != *suit,
            Ask::Mana(sign, number) => card.mana.is_some_and(|mana| match *sign {
                ":" | "=" => mana == *number,
                "!=" => mana != *number,
                "<" => mana < *number,
                "<=" => mana <= *number,
                ">" => mana > *number,
                _ => mana >= *number,
            }),
        }
    }

    /// One of the spellings of the query; `binds`: brackets are needed around an *or* (1) or
    /// around anything joined (2).
    fn text(&self, random: &mut Random, binds: usize) -> String {
        let joined = |parts: &[Ask], random: &mut Random, between: &[&str], own: usize| {
            let mut text = String::new();
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    text += *random.pick::<&str>(between);
                }
                text += &part.text(random, own);
            }
            text
        };
        let bracketed = |text: String, needed: bool, random: &mut Random| match needed
            || random.below(6) == 0
        {
            true => format!("({text})"),
            false => text,
        };
        match self {
            Ask::All(parts) => {
                let text = joined(parts, random, &[" ", " and ", "  AND "], 1);
                bracketed(text, binds == 2, random)
            }
            Ask::Any(parts) => {
                let text = joined(parts, random, &[" or ", " Or "], 0);
                bracketed(text, binds > 0, random)
            }
            Ask::Not(part) => {
                let inner = part.text(random, 2);
                match random.below(3) {
                    0 if !inner.starts_with('-') && !inner.to_lowercase().starts_with("not") => {
                        format!("-{inner}")
                    }
                    1 => format!("NOT {inner}"),
                    _ => format!("not ({inner})"),
                }
            }
            // A reserved word that is a part of a name is no word of its own.
            Ask::Part("and" | "or") => "(zz and zz)".to_owned(),
            Ask::Part(part) => random
                .pick(&[part.to_uppercase(), (*part).to_owned()])
                .clone(),
            Ask::Name(name) => format!("\"{}\"", name.to_uppercase()),
            Ask::Type(kinds) => match kinds.as_slice() {
                [only] => format!("type:{only}"),
                kinds => format!("type:({})", kinds.join(random.pick::<&str>(&[" ", " or "]))),
            },
            Ask::OtherSuit(suit) => format!("suit!={suit}"),
            Ask::Mana(sign, number) => match random.below(2) {
                0 => format!("mana{sign}{number}"),
                _ => format!("mana {sign} {number}"),
            },
        }
    }
}

#[test]
fn random_card_queries_pick_what_a_look_at_each_card_does() {
    let pool = pool();
    for seed in 0..20_000 {
        let random = &mut Random(seed);
        let ask = Ask::random(random, 3);
        let text = ask.text(random, 0);
        let query = Query::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let picked = query.select(&pool).unwrap();
        let again = Query::parse(&query.to_string())
            .unwrap()
            .select(&pool)
            .unwrap();
        assert_eq!(picked, again, "{text} is not {query}");
        for card in CARDS {
            let found = picked.has(pool.find(card.name).unwrap());
            assert_eq!(
                found,
                ask.holds(&card),
                "seed {seed}: {text}: {}",
                card.name
            );
        }
        // Whatever picks nothing has a reason, or at least two conditions at odds.
        let leaf = matches!(ask, Ask::Part(_) | Ask::Name(_) | Ask::Mana(..));
        if leaf && picked.is_empty() {
            assert!(!query.remarks(&pool).is_empty(), "{text}");
        }
    }
}

/// Every line of the reference that shows a query is one, and asks for nothing in vain.
#[test]
fn the_reference_shows_queries_as_they_are_read() {
    let cards = std::fs::read("formats/shell/cards.csv").unwrap();
    let game = decklaw::format::Catalogue::built_in()
        .game("shell")
        .unwrap();
    let pool = game.read_cards(&cards).unwrap();
    let mut shown = 0;
    for kind in ["cards", "hand"] {
        let text = decklaw::query::REFERENCE;
        let (_, block) = text.split_once(&format!("```{kind}\n")).unwrap();
        let (block, _) = block.split_once("```").unwrap();
        for line in block.lines() {
            let query = line.split_once("  ").map_or(line, |(query, _)| query);
            let remarks = match kind {
                "cards" => {
                    let query = Query::parse(query).unwrap();
                    assert!(query.select(&pool).is_ok(), "{line}");
                    query
                        .remarks(&pool)
                        .into_iter()
                        .map(|remark| remark.message)
                        .collect()
                }
                _ => {
                    let query = decklaw::query::HandQuery::parse(query).unwrap();
                    let copies = pool.ids().map(|card| (card, 1));
                    let deck = decklaw::odds::Population::new(&pool, copies, 0).unwrap();
                    assert_eq!(decklaw::odds::check(&query, &deck), Ok(()), "{line}");
                    query.remarks(&pool)
                }
            };
            // What is exactly this is shown for its sign.
            assert!(
                remarks.is_empty() || line.starts_with("text=draw"),
                "{line}: {remarks:?}"
            );
            shown += 1;
        }
    }
    assert!(shown > 30, "{shown}");
}
