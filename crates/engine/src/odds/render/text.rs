//! How hands come about, and how likely things are, in words.

use crate::odds::session::Found;
use crate::odds::{Distribution, Mulligan, Policy};
use decklaw_core::text::{counted, harmless};
use std::fmt::Write as _;

/// The hand and the policy, in words.
pub(super) fn conditions(found: &Found) -> String {
    let Some(hand) = found.hand else {
        return "the first cards of the deck, without mulligans".to_owned();
    };
    let mut words = format!("hand of {hand}, ");
    words.push_str(&policy_in_words(&found.policy));
    if found.draws > 0 {
        let drawn = counted(found.draws.into(), "card");
        let _ = match found.turn {
            Some(turn) => write!(words, ", and {drawn} drawn by turn {turn}"),
            None => write!(words, ", and {drawn} drawn"),
        };
    }
    if let Some(keep) = found.keep() {
        let keep = if keep == "best" {
            "whatever is best".to_owned()
        } else {
            format!("`{keep}`")
        };
        let _ = write!(words, ", kept: {keep}");
    }
    harmless(&words, false).into_owned()
}

fn policy_in_words(policy: &Policy) -> String {
    let how = match policy.mulligan {
        _ if policy.limit == 0 => return "no mulligan".to_owned(),
        Mulligan::None => return "no mulligan".to_owned(),
        Mulligan::Aside => "the old hand set aside",
        Mulligan::Shuffle => "the old hand shuffled in",
    };
    let mut words = format!("up to {}, {how}", counted(policy.limit.into(), "mulligan"));
    let bottoms = policy.bottoms();
    if bottoms.iter().any(|bottom| *bottom > 0) {
        let each: Vec<String> = bottoms.iter().map(u32::to_string).collect();
        let _ = write!(words, ", bottoming {}", each.join(", "));
    }
    words
}

/// In percent with two places; what is neither certain nor impossible never looks so.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent >= 99.995 && share < 1.0 => "> 99.99 %".to_owned(),
        percent if percent < 0.005 && share > 0.0 => "< 0.01 %".to_owned(),
        percent => format!("{percent:.2} %"),
    }
}

/// A total's mean.
pub(super) fn mean_in_words(total: &Distribution) -> String {
    format!("mean {:.4}", total.mean.nearest())
}
