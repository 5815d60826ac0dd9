//! The report as a picture: a bar for each answer, each turn and each value.

use super::text::{conditions, mean_in_words, percent};
use crate::odds::Fraction;
use crate::odds::session::{OddsReport, Reply};
use decklaw_core::chart::Picture;

/// The report as an SVG document that stands alone; how the hand comes about stands
/// beside the numbers.
pub fn to_svg(report: &OddsReport) -> String {
    let mut picture = Picture::new(&report.deck);
    for found in &report.answers {
        picture.heading(found.name.as_deref().unwrap_or(found.query()));
        picture.remark(&conditions(found));
        match &found.answer {
            Reply::Query(answer) | Reply::Path(answer) => {
                let label = match found.turn {
                    Some(turn) => format!("by turn {turn}"),
                    None if found.hand.is_none() => "all steps".to_owned(),
                    None if found.draws > 0 => "after draws".to_owned(),
                    None => "in hand".to_owned(),
                };
                bar(&mut picture, &label, &answer.likelihood, 1.0);
                for turn in &answer.turns {
                    let label = format!("turn {}", turn.turn);
                    bar(&mut picture, &label, &turn.likelihood, 1.0);
                }
            }
            Reply::Total(answer) => {
                picture.remark(&mean_in_words(&answer.total));
                let shares = &answer.total.values;
                let most = shares.iter().map(|(_, share)| share.nearest());
                let most = most.fold(0.0, f64::max);
                for (value, share) in shares {
                    bar(&mut picture, &value.to_string(), share, most);
                }
            }
            Reply::Refused(_) => picture.remark("refused"),
        }
    }
    picture.finish()
}

/// A bar as long as its share of `most`.
fn bar(picture: &mut Picture, label: &str, likelihood: &Fraction, most: f64) {
    let share = likelihood.nearest();
    let length = if most > 0.0 { share / most } else { 0.0 };
    picture.bar(label, length, &percent(share));
}
