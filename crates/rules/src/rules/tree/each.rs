//! A demand on each card, as it is demanded of one of them.

use super::{AgreementWeight, Cond, Leaf, Num, UnknownCards, Weights};
use decklaw_cards::pool::CardId;

/// What a demand on each is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject {
    /// A card that the pool knows.
    Known(CardId),
    /// A card that the pool does not know.
    Unknown(CardId),
    /// Nobody: a condition that holds here holds for every card that the deck lacks.
    Nobody,
}

impl Leaf {
    fn of_each(&self, who: Subject) -> Leaf {
        let nothing = UnknownCards::Nothing;
        let (cards, unknown) = match (who, &self.unknown) {
            (Subject::Known(card), _) => {
                let own = self.weight(card).map(|weight| (card, weight));
                (own.into_iter().collect(), nothing)
            }
            (Subject::Unknown(card), UnknownCards::Any(low, high)) => {
                (Vec::new(), UnknownCards::One(card, *low, *high))
            }
            (Subject::Unknown(_) | Subject::Nobody, _) => (Vec::new(), nothing),
        };
        Leaf {
            cards: Weights::Few(cards),
            unknown,
            sections: self.sections,
            name: self.name.clone(),
        }
    }
}

impl Num {
    fn of_each(&self, who: Subject) -> Option<Num> {
        let all = |parts: &[Num]| {
            let parts = parts.iter().map(|part| part.of_each(who));
            parts.collect::<Option<Vec<Num>>>()
        };
        let of = |leaf: &Leaf| Box::new(leaf.of_each(who));
        Some(match self {
            Num::Const(number) => Num::Const(*number),
            Num::Own { column, .. } => match who {
                Subject::Known(card) => Num::Const((*column.get(card.index())?)?),
                _ => return None,
            },
            Num::Sum(leaf) => Num::Sum(of(leaf)),
            Num::Different { groups, least, leaf } => {
                Num::Different { groups: groups.clone(), least: *least, leaf: of(leaf) }
            }
            Num::Extreme { greatest, leaf } => Num::Extreme { greatest: *greatest, leaf: of(leaf) },
            Num::Agreed(agreed) => Num::Agreed(Box::new(AgreementWeight {
                leaf: agreed.leaf.of_each(who),
                ..(**agreed).clone()
            })),
            Num::When(cond, num) => {
                Num::When(Box::new(cond.of_each(who)?), Box::new(num.of_each(who)?))
            }
            Num::Add(parts) => Num::Add(all(parts)?),
            Num::Times(by, num) => Num::Times(*by, Box::new(num.of_each(who)?)),
            Num::Div(num, by) => Num::Div(Box::new(num.of_each(who)?), *by),
        })
    }

    fn has_own(&self) -> bool {
        match self {
            Num::Own { .. } => true,
            Num::Const(_)
            | Num::Sum(_)
            | Num::Different { .. }
            | Num::Extreme { .. }
            | Num::Agreed(_) => false,
            Num::When(cond, num) => cond.has_own() || num.has_own(),
            Num::Add(parts) => parts.iter().any(Num::has_own),
            Num::Times(_, num) | Num::Div(num, _) => num.has_own(),
        }
    }
}

impl Cond {
    /// The demand as it is made of some cards; `None`: nothing is demanded of a card that lacks a
    /// number which the demand names.
    pub(crate) fn of_each(&self, who: Subject) -> Option<Cond> {
        let all = |parts: &[Cond]| {
            let parts = parts.iter().map(|part| part.of_each(who));
            parts.collect::<Option<Vec<Cond>>>()
        };
        let end = |end: &Option<Num>| match end {
            Some(end) => end.of_each(who).map(Some),
            None => Some(None),
        };
        Some(match self {
            Cond::Within(num, low, high) => Cond::Within(num.of_each(who)?, end(low)?, end(high)?),
            Cond::Among(num, options) => Cond::Among(num.of_each(who)?, options.clone()),
            Cond::All(parts) => Cond::All(all(parts)?),
            Cond::Any(parts) => Cond::Any(all(parts)?),
        })
    }

    /// Whether it names a number of the card that it is about.
    pub(crate) fn has_own(&self) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                num.has_own() || [low, high].into_iter().flatten().any(Num::has_own)
            }
            Cond::Among(num, _) => num.has_own(),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().any(Cond::has_own),
        }
    }
}
