//! A report for people and spreadsheets.

mod csv;
mod human;
mod svg;

pub use csv::{HEADER, rows};
pub use human::to_human;
pub use svg::to_svg;

use super::report::ReportEntry;
use super::{Distribution, Fraction, Mulligan, Policy};
use decklaw_text::text::{counted, escape_control};
use std::fmt::Write as _;

/// A probability in percent with two places. Only a certain event is at 100 %, and only an
/// impossible one at 0 %.
///
/// ```
/// use decklaw_engine::odds::{Fraction, render::percent};
/// let of = |share: u128, whole: u128| percent(&Fraction::new(share.into(), whole.into()));
/// assert_eq!(of(1, 4), "25.00 %");
/// assert_eq!(of(u128::MAX - 1, u128::MAX), "> 99.99 %");
/// assert_eq!(of(1, u128::MAX), "< 0.01 %");
/// assert_eq!(of(1, 1), "100.00 %");
/// ```
pub fn percent(probability: &Fraction) -> String {
    let percent = 100.0 * probability.nearest();
    if percent >= 99.995 && probability.numerator() != probability.denominator() {
        "> 99.99 %".to_owned()
    } else if percent < 0.005 && probability.nearest() > 0.0 {
        "< 0.01 %".to_owned()
    } else {
        format!("{percent:.2} %")
    }
}

fn mean_in_words(total: &Distribution) -> String {
    format!("mean {:.4}", total.mean.nearest())
}

/// The hand and the policy of an answer in words.
fn conditions(entry: &ReportEntry) -> String {
    let Some(hand) = entry.hand else {
        return "the first cards of the deck, no mulligan".to_owned();
    };
    let mut words = format!("hand of {hand}, {}", policy_in_words(&entry.policy));
    if entry.draws > 0 {
        let drawn = counted(entry.draws.into(), "card");
        let by = entry.turn.map_or_else(String::new, |turn| format!(" by turn {turn}"));
        let _ = write!(words, ", and {drawn} drawn{by}");
    }
    match entry.keep() {
        None => {}
        Some("best") => words.push_str("; keep the best hands"),
        Some(keep) => {
            let _ = write!(words, "; keep if `{keep}`");
        }
    }
    escape_control(&words, false).into_owned()
}

fn policy_in_words(policy: &Policy) -> String {
    let how = match policy.mulligan {
        _ if policy.limit == 0 => return "no mulligan".to_owned(),
        Mulligan::None => return "no mulligan".to_owned(),
        Mulligan::Aside => "old hand set aside",
        Mulligan::Shuffle => "old hand shuffled in",
    };
    let mulligans = counted(policy.limit.into(), "mulligan");
    let bottoms = policy.bottoms();
    let bottomed = if bottoms.iter().any(|bottom| *bottom > 0) {
        let each: Vec<String> = bottoms.iter().map(u32::to_string).collect();
        format!(", bottoming {}", each.join(", "))
    } else {
        String::new()
    };
    format!("at most {mulligans} ({how}{bottomed})")
}
