//! The deck builder: which fields filter, group and make the curve, and the first steps of an empty
//! deck.

use super::Look;
use decklaw_cards::pool::{Field, FieldKind};
use decklaw_engine::solve::Wish;
use decklaw_rules::format::{Format, Lint};
use decklaw_text::yaml::{Problem, Spanned};
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
    pub wish: Vec<Spanned<String>>,
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

impl Look {
    /// The fields that the deck builder shows; where the game does not say, those that suit their
    /// kinds.
    pub fn builder<'g>(&'g self, fields: &'g [Field]) -> Builder<'g> {
        let entry = self.builder.as_ref().map(|entry| &entry.value);
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

    /// The first steps of an empty deck of a format.
    pub fn start(&self, format: &Format) -> Vec<Step<'_>> {
        let steps = self.start.iter().flat_map(|start| &start.value).map(|step| &step.value);
        let own = |step: &&StartEntry| {
            step.only.is_empty() || step.only.iter().any(|id| id == format.id())
        };
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

/// What is wrong with the fields of the deck builder, and with the first steps of a deck.
pub(super) fn lint(lint: &mut Lint<'_>, look: &Look) {
    for builder in look.builder.iter().map(|builder| &builder.value) {
        let lists = [&builder.filters, &builder.more, &builder.groups];
        for name in lists.into_iter().flatten().chain(&builder.curve) {
            lint.field(&name.value, name.span);
        }
    }
    let steps = look.start.iter().flat_map(|start| &start.value);
    for Spanned { value: step, span } in steps {
        if step.pick.is_some() != step.choose.is_empty() {
            lint.wrong("a step has either `pick` or `choose`", *span);
        }
        if step.each.len() > 1 {
            lint.wrong("a step has cards for `each` word of one field", *span);
        }
        if step.choose.len() > MOST_OFFERS {
            lint.wrong(format!("a step offers at most {MOST_OFFERS} decks"), *span);
        }
        for id in &step.only {
            lint.format(id, *span);
        }
        if let Some(section) = &step.pick {
            lint.section(section);
        }
        let wishes = step.choose.iter().flat_map(|offer| &offer.wish);
        for (wish, cards) in wishes.filter_map(|wish| Some((wish, lint.cards?))) {
            if let Err(error) = Wish::of(&wish.value, lint.game, cards) {
                lint.problems.push(Problem::in_query(wish, &error.message));
            }
        }
        for value in step.step().each {
            lint.query(&Spanned { value, span: *span });
        }
    }
}
