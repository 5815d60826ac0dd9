//! What a game's folder says for the deck builder: which fields filter, group and make the curve
//! (`builder`), and the first steps of an empty deck (`start`). No rule or deck depends on them.

use super::Format;
use super::lint::Lint;
use decklaw_cards::pool::{Field, FieldKind};
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The fields that the deck builder shows.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BuilderEntry {
    /// The fields whose values are filters in sight [default: the first three words of a card].
    #[serde(default)]
    pub filters: Vec<Spanned<String>>,
    /// The fields whose values are further filters [default: none].
    #[serde(default)]
    pub more: Vec<Spanned<String>>,
    /// The field whose values make the curve [default: the first number].
    #[serde(default)]
    pub curve: Option<Spanned<String>>,
    /// The fields by which a deck is grouped, the first at once [default: the curve and the
    /// filters].
    #[serde(default)]
    pub groups: Vec<Spanned<String>>,
}

/// A first step of an empty deck: cards to pick, or decks to choose from.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StartEntry {
    /// What the player does, such as `Choose your Hero`.
    pub title: String,
    /// What the player should know for it.
    #[serde(default)]
    pub about: String,
    /// The formats that have the step [default: all].
    #[serde(default)]
    pub only: Vec<String>,
    /// The section that the picked cards go to.
    #[serde(default)]
    pub pick: Option<Spanned<String>>,
    /// The cards to pick from, as a card query.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// One card is picked for each of these words of a field [default: one card].
    #[serde(default)]
    pub each: BTreeMap<String, Vec<String>>,
    /// Decks to choose from, at most three.
    #[serde(default)]
    pub choose: Vec<OfferEntry>,
}

/// A deck to choose.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfferEntry {
    /// What the player chooses, such as `Green only`.
    pub title: String,
    /// What that means.
    #[serde(default)]
    pub about: String,
    /// What the deck should hold, as hand queries.
    #[serde(default)]
    pub wish: Vec<String>,
}

/// The fields that the deck builder shows of a format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Builder<'g> {
    /// The fields whose values are filters in sight.
    pub filters: Vec<&'g str>,
    /// The fields whose values are further filters.
    pub more: Vec<&'g str>,
    /// The field whose values make the curve.
    pub curve: Option<&'g str>,
    /// The fields by which a deck is grouped, the first at once.
    pub groups: Vec<&'g str>,
}

/// A first step of an empty deck.
#[derive(Debug, Clone, Serialize)]
pub struct Step<'g> {
    /// What the player does.
    pub title: &'g str,
    /// What the player should know for it.
    pub about: &'g str,
    /// The section that the picked cards go to; `None`: the step offers decks.
    pub pick: Option<&'g str>,
    /// A card query for each card to pick.
    pub each: Vec<String>,
    /// The field in which these cards differ, where they do.
    pub by: Option<&'g str>,
    /// Decks to choose from.
    pub choose: &'g [OfferEntry],
}

/// The most decks that a step offers.
const MOST_OFFERS: usize = 3;

impl Format {
    /// The fields that the deck builder shows; where the game does not say, those that suit their
    /// kinds.
    pub fn builder<'g>(&'g self, fields: &'g [Field]) -> Builder<'g> {
        let entry = self.game().file.builder.as_ref().map(|entry| &entry.value);
        let names = |of: fn(&BuilderEntry) -> &Vec<Spanned<String>>| -> Vec<&str> {
            let names = entry.into_iter().flat_map(of);
            names.map(|name| name.value.as_str()).collect()
        };
        let of_kind = |is: fn(&FieldKind) -> bool| {
            let fields = fields.iter().filter(move |field| is(&field.kind));
            fields.map(|field| field.name.as_str())
        };
        let or = |own: Vec<&'g str>, default: Vec<&'g str>| {
            if own.is_empty() { default } else { own }
        };
        let words = of_kind(|kind| matches!(kind, FieldKind::Word { .. }));
        let filters = or(names(|entry| &entry.filters), words.take(3).collect());
        let number = of_kind(|kind| matches!(kind, FieldKind::Number { .. })).next();
        let curve = entry.and_then(|entry| entry.curve.as_ref());
        let curve = curve.map(|name| name.value.as_str()).or(number);
        let mut groups: Vec<&str> = curve.into_iter().collect();
        groups.extend(filters.iter().filter(|name| Some(**name) != curve));
        Builder {
            more: names(|entry| &entry.more),
            groups: or(names(|entry| &entry.groups), groups),
            filters,
            curve,
        }
    }

    /// The first steps of an empty deck.
    pub fn start(&self) -> Vec<Step<'_>> {
        let steps = self.game().file.start.iter().flat_map(|start| &start.value);
        let steps = steps.map(|step| &step.value);
        let own =
            |step: &&StartEntry| step.only.is_empty() || step.only.iter().any(|id| id == self.id());
        steps.filter(own).map(StartEntry::step).collect()
    }
}

impl StartEntry {
    fn step(&self) -> Step<'_> {
        let cards = self.cards.as_ref().map_or("", |cards| &cards.value);
        let words = |(field, words): (&String, &Vec<String>)| -> Vec<String> {
            let each = words.iter();
            each.map(|word| format!("{cards} {field}:\"{word}\"")).collect()
        };
        let mut each: Vec<String> = self.each.iter().flat_map(words).collect();
        if each.is_empty() && self.pick.is_some() {
            each.push(cards.to_owned());
        }
        Step {
            title: &self.title,
            about: &self.about,
            pick: self.pick.as_ref().map(|section| section.value.as_str()),
            each,
            by: self.each.keys().next().map(String::as_str),
            choose: &self.choose,
        }
    }
}

impl Lint<'_> {
    /// The fields of the deck builder, and the first steps of a deck.
    pub(super) fn builder(&mut self) {
        let file = &self.game.file;
        for builder in file.builder.iter().map(|builder| &builder.value) {
            let lists = [&builder.filters, &builder.more, &builder.groups];
            for name in lists.into_iter().flatten().chain(&builder.curve) {
                self.field(&name.value, name.span);
            }
        }
        let steps = file.start.iter().flat_map(|start| &start.value);
        for Spanned { value: step, span } in steps {
            if step.pick.is_some() != step.choose.is_empty() {
                self.wrong("a step has either `pick` or `choose`", *span);
            }
            if step.each.len() > 1 {
                self.wrong("a step has cards for `each` word of one field", *span);
            }
            if step.choose.len() > MOST_OFFERS {
                self.wrong(format!("a step offers at most {MOST_OFFERS} decks"), *span);
            }
            for id in &step.only {
                self.format(id, *span);
            }
            if let Some(section) = &step.pick {
                self.section(section);
            }
            for value in step.step().each {
                self.query(&Spanned { value, span: *span });
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::format::Game;
    use crate::format::tests::{KITE, wrong};
    use std::sync::Arc;

    #[test]
    fn what_the_deck_builder_shows_is_linted() {
        let fine = "builder: {filters: [type], more: [might], curve: might, groups: [type]}
start:
  - {title: Lead, pick: lead, cards: \"type:bird\", only: [kite/fast]}
  - {title: Deck, choose: [{title: Any}, {title: Birds, wish: [\"main: 3+ [type:bird]\"]}]}
";
        assert_eq!(wrong(fine), Vec::<String>::new());
        for (more, message) in [
            ("builder: {filters: [colour]}", "no field `colour`"),
            ("builder: {curve: mana}", "no field `mana`"),
            ("start: [{title: A}]", "either `pick` or `choose`"),
            ("start: [{title: A, pick: lead, choose: [{title: B}]}]", "either `pick` or `choose`"),
            ("start: [{title: A, pick: side}]", "no section `side`"),
            ("start: [{title: A, pick: lead, only: [slow]}]", "no format `slow`"),
            ("start: [{title: A, pick: lead, cards: \"hue:red\"}]", "hue"),
            (
                "start: [{title: A, choose: [{title: A}, {title: B}, {title: C}, {title: D}]}]",
                "at most 3 decks",
            ),
        ] {
            let found = wrong(more);
            let is_there = found.iter().any(|one| one.contains(message));
            assert!(is_there, "{more}: {found:?}");
        }
    }

    #[test]
    fn a_game_that_says_nothing_has_filters_and_a_curve() {
        let game = Arc::new(Game::read("game.yaml", KITE).unwrap());
        let format = game.formats().swap_remove(0);
        let builder = format.builder(game.fields());
        assert_eq!(builder.filters, ["type"]);
        assert_eq!(builder.curve, Some("might"));
        assert_eq!(builder.groups, ["might", "type"]);
        assert!(format.start().is_empty());
    }

    #[test]
    fn a_step_has_a_query_for_each_card_and_formats_of_its_own() {
        let more = "start:
  - {title: Lead, pick: lead, cards: \"might>=1\", each: {type: [bird, kite]}, only: [kite/fast]}
";
        let game = Arc::new(Game::read("game.yaml", &format!("{KITE}{more}")).unwrap());
        let formats = game.formats();
        assert!(formats[0].start().is_empty());
        let steps = formats[1].start();
        assert_eq!(steps[0].each, ["might>=1 type:\"bird\"", "might>=1 type:\"kite\""]);
        assert_eq!(steps[0].by, Some("type"));
        assert_eq!(game.rules_text(), KITE);
    }
}
