//! The report as a picture: a bar for each answer, each turn and each value.

use crate::chart::Picture;
use crate::odds::session::{Finding, OddsReport};

/// The report as an SVG document that stands alone.
pub fn to_svg(report: &OddsReport) -> String {
    let mut picture = Picture::new(&report.deck);
    let bar = |picture: &mut Picture, label: &str, share: f64, most: f64| {
        let length = if most > 0.0 { share / most } else { 0.0 };
        picture.bar(label, length, &format!("{:.2} %", 100.0 * share));
    };
    for found in &report.answers {
        picture.heading(found.name.as_deref().unwrap_or(found.query()));
        match &found.answer {
            Finding::Query(answer) | Finding::Path(answer) => {
                bar(&mut picture, "hand", answer.likelihood.nearest(), 1.0);
                for turn in &answer.turns {
                    let label = format!("turn {}", turn.turn);
                    bar(&mut picture, &label, turn.likelihood.nearest(), 1.0);
                }
            }
            Finding::Total(answer) => {
                let distribution = &answer.total;
                let shares = || distribution.values.iter().map(|(_, share)| share.nearest());
                let most = shares().fold(0.0, f64::max);
                for ((value, _), share) in distribution.values.iter().zip(shares()) {
                    bar(&mut picture, &value.to_string(), share, most);
                }
            }
        }
    }
    picture.finish()
}
