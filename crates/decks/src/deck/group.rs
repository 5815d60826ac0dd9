//! Headings in a game's own words: every card below one must be what it says, and a count behind
//! it must be theirs.

use super::{Group, SectionNames};
use decklaw_cards::pool::{CardId, FieldKind, Pool};
use decklaw_text::name::fold;
use decklaw_text::text::singular;
use std::borrow::Cow;

impl<'a> Group<'a> {
    /// The group that a word begins: one that is no section and no card, and that cards of the
    /// pool have in a field of words, in the plural or the singular. `None`: it is no such word.
    pub(super) fn of(word: &'a str, names: &SectionNames<'_>) -> Option<Group<'a>> {
        let pool = names.pool.filter(|_| !names.open)?;
        let folded = fold(word).into_owned();
        let words = [singular(&folded), folded];
        let is_taken = |word: &str| names.find(word.trim()).is_some() || pool.has_name(word);
        if words.iter().any(|word| is_taken(word) || word.ends_with(' ')) {
            return None;
        }
        let mut of = Vec::new();
        for field in pool.fields() {
            if !matches!(field.kind, FieldKind::Word { .. } | FieldKind::List { .. }) {
                continue;
            }
            for word in &words {
                if let Some(value) = field.canonical(word).map(Cow::into_owned)
                    && (field.written(&value).is_some() || pool.has_word(&field.name, &value))
                {
                    of.push((field.name.clone(), value));
                }
            }
        }
        let lines = 0..0;
        (!of.is_empty()).then_some(Group { word, lines, of })
    }

    /// Whether a card is what the heading says.
    pub(super) fn has(&self, card: CardId, pool: &Pool) -> bool {
        self.of.iter().any(|(field, value)| {
            let words = pool.words(card, field);
            words.iter().any(|word| **word == **value)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::deck::{Input, SectionNames, read};
    use decklaw_cards::pool::{Field, FieldKind, Pool, Value};

    /// The copies of a deck and its sections, or what is wrong with it.
    fn of(source: &str) -> Result<(u32, usize), String> {
        let field = |name: &str, values: &[&str]| Field {
            name: name.to_owned(),
            kind: FieldKind::Word {
                values: values.iter().copied().map(Value::new).collect(),
                open: values.is_empty(),
            },
        };
        let cards = b"name,type,clan\nBoar,Monster,Ash\nHeron,Monster,Reed\nFlood,Sorcery,Reed\nTrap,Trap,Side\n";
        let fields = [field("type", &["Monster", "Sorcery", "Trap", "Relic"]), field("clan", &[])];
        let pool = Pool::read_csv(cards, &fields).unwrap();
        let names = ["main", "side"].map(|id| (id.to_owned(), id.to_owned()));
        let ids = names.clone().map(|(id, _)| id);
        let names = SectionNames {
            names: &names,
            ids: &ids,
            first: "main",
            open: false,
            pool: Some(&pool),
        };
        let deck = read(source.as_bytes(), Input::Text, names);
        deck.map(|deck| (deck.lines.iter().map(|line| line.count).sum(), deck.sections.len()))
            .map_err(|errors| errors[0].message.clone())
    }

    #[test]
    fn headings_of_the_games_words_are_groups_within_their_section() {
        for (source, copies, sections) in [
            ("Main (6)\nMonsters (4)\n3 Boar\n1 Heron\nSorceries (2)\n2 Flood\n", 6, 1),
            ("MONSTER\n3 Boar\n\nReed\n1 Heron\n2 Flood\n", 6, 1),
            ("Main\nMonsters\n3 Boar\nSide\nMonsters (1)\n1 Heron\n", 4, 2),
            ("Main\nMonsters (3)\n3 Boar\nRelics (0)\nSide\n2 Flood\n", 5, 2),
            ("Monsters (5)\n3 Boar\n2 No Such Card\n", 5, 1),
        ] {
            assert_eq!(of(source), Ok((copies, sections)), "{source}");
        }
    }

    #[test]
    fn cards_and_totals_must_fit_their_heading() {
        for (source, message) in [
            ("Monsters (4)\n3 Boar\n", "`Monsters` should have `4` cards, but has 3."),
            (
                "Monsters (4)\n3 Boar\nSide\n1 Heron\n",
                "`Monsters` should have `4` cards, but has 3.",
            ),
            ("Relics (1)\nMonsters\n3 Boar\n", "`Relics` should have `1` card, but has 0."),
            ("Monsters\n3 Boar\n2 Flood\n", "`Flood` is below `Monsters`"),
            ("Ash\n3 Boar\n1 Heron\n", "`Heron` is below `Ash`"),
            ("Main (5)\nMonsters (3)\n3 Boar\n", "`Main` should have `5` cards, but has 3."),
            // No card is a dragon, and a word close to a section's is no clan.
            ("Dragons\n2 Boar\n", "`Dragons` is not a section"),
            ("Sides\n1 Trap\n", "`Sides` is not a section"),
            ("Side\ts\n1 Trap\n", "`Side s` is not a section"),
        ] {
            let error = of(source).unwrap_err();
            assert!(error.starts_with(message), "{source}{error}");
        }
    }
}
