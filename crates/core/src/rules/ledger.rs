//! The accounts of a deck: how its budgets and sums stand.

/// How a budget or a sum of a deck stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ledger {
    /// Points that must be spent.
    Points(Points),
    /// A sum with bounds.
    Sum {
        /// What is added up.
        called: String,
        /// What it comes to, as far as cards are known.
        total: i64,
        /// The least that it must come to.
        least: Option<i64>,
        /// The most that it may come to.
        most: Option<i64>,
        /// Whether unknown cards make it uncertain.
        uncertain: bool,
    },
}

/// How a budget adds up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// What is there to begin with.
    pub start: i64,
    /// What cards add, and what they are called.
    pub refunded: (i64, String),
    /// What cards use up, and what they are called.
    pub spent: (i64, String),
    /// What is left.
    pub remaining: i64,
    /// What must be left.
    pub target: i64,
    /// Whether cards of unknown price make the account uncertain.
    pub uncertain: bool,
}

impl Ledger {
    /// Whether it is as the rules want it, as far as cards are known.
    pub fn is_right(&self) -> bool {
        match self {
            Ledger::Points(points) => points.remaining == points.target,
            Ledger::Sum {
                total, least, most, ..
            } => {
                least.is_none_or(|least| *total >= least) && most.is_none_or(|most| *total <= most)
            }
        }
    }

    /// Whether unknown cards make it uncertain.
    pub fn is_uncertain(&self) -> bool {
        match self {
            Ledger::Points(points) => points.uncertain,
            Ledger::Sum { uncertain, .. } => *uncertain,
        }
    }

    /// The account of a sum in words: `influence: 12 of at most 15`.
    pub fn words(&self) -> String {
        let Ledger::Sum {
            called,
            total,
            least,
            most,
            uncertain,
        } = self
        else {
            return String::new();
        };
        let bounds = match (least, most) {
            (Some(least), Some(most)) if least == most => format!(", and it must be {most}"),
            (Some(least), Some(most)) => format!(", and it must be {least} to {most}"),
            (Some(least), None) => format!(", and it must be at least {least}"),
            (None, Some(most)) => format!(" of at most {most}"),
            (None, None) => String::new(),
        };
        let open = if *uncertain {
            " (unknown cards are left out)"
        } else {
            ""
        };
        format!("{called}: {total}{bounds}{open}")
    }
}
