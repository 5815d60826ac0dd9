//! Where what decides a verdict comes from.

use std::collections::BTreeMap;

/// Where a game, a card file or a banlist comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// A file that the call names.
    #[default]
    Call,
    /// Compiled in.
    BuiltIn,
    /// The configuration of the user's own account.
    Account,
    /// The `decklaw.yaml` of the folder that the program runs in, which may be anybody's.
    Here,
    /// The web: the name under which an address is kept.
    Fetched(String),
    /// The copies of an event's lock.
    Lock,
}

impl Origin {
    /// What distinguishes one publisher from another: lists of two publishers are two lists,
    /// whatever ids they claim.
    pub fn publisher(&self) -> &str {
        match self {
            Origin::Call => "call",
            Origin::BuiltIn => "built-in",
            Origin::Account => "account",
            Origin::Here => "here",
            Origin::Fetched(name) => name,
            Origin::Lock => "lock",
        }
    }

    /// Whether it was fetched from the web.
    pub fn is_fetched(&self) -> bool {
        matches!(self, Origin::Fetched(_))
    }
}

/// Where what judges a deck comes from, for each that is not built in: a path, or the name of what was
/// fetched. The keys are `format` `cards` `banlist` `odds` `stats` `taste` `look` `collection`.
pub type Sources = BTreeMap<&'static str, String>;
