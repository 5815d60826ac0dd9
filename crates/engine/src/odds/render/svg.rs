//! A report as a picture: a bar for each answer, each turn and each value of a total.

use super::{conditions, mean_in_words, percent};
use crate::chart::Picture;
use crate::odds::{Fraction, OddsReport, Value};

/// The report as an SVG document, with the hand and the policy of each answer.
pub fn to_svg(report: &OddsReport) -> String {
    let mut picture = Picture::new(&report.deck);
    for entry in &report.answers {
        picture.heading(entry.name.as_deref().unwrap_or(&entry.answer.query));
        picture.remark(&conditions(entry));
        let label = match (entry.turn, entry.hand) {
            (Some(turn), _) => format!("by turn {turn}"),
            (None, None) => "all steps".to_owned(),
            (None, Some(_)) if entry.draws > 0 => "after draws".to_owned(),
            (None, Some(_)) => "in hand".to_owned(),
        };
        match &entry.answer.value {
            Value::Probability(Some(share)) => bar(&mut picture, &label, share, 1.0),
            Value::Total(Some(total)) => {
                picture.remark(&mean_in_words(total));
                let shares = total.values.iter().map(|(_, share)| share.nearest());
                let most = shares.fold(0.0, f64::max);
                for (value, share) in &total.values {
                    bar(&mut picture, &value.to_string(), share, most);
                }
            }
            Value::Probability(None) | Value::Total(None) => picture.remark("refused"),
        }
        for turn in &entry.answer.turns {
            if let Value::Probability(Some(share)) = &turn.value {
                bar(&mut picture, &format!("turn {}", turn.turn), share, 1.0);
            }
        }
    }
    picture.finish()
}

/// A bar as long as its share of `most`.
fn bar(picture: &mut Picture, label: &str, share: &Fraction, most: f64) {
    let length = if most > 0.0 { share.nearest() / most } else { 0.0 };
    picture.bar(label, length, &percent(share));
}
