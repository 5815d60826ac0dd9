//! The report as a picture: a bar for each answer, each turn and each value.

use crate::odds::session::{Finding, OddsReport};
use crate::text::{harmless, markup};
use std::fmt::Write as _;

const WIDTH: u32 = 720;
const ROW: u32 = 22;
const LEFT: u32 = 120;
const BAR: u32 = 460;

/// The report as an SVG document that stands alone.
pub fn to_svg(report: &OddsReport) -> String {
    let mut rows = String::new();
    let mut y = 10;
    let heading = |rows: &mut String, y: &mut u32, text: &str| {
        *y += ROW;
        let text = escaped(text);
        let _ = writeln!(
            rows,
            r#"<text x="10" y="{y}" font-weight="bold">{text}</text>"#
        );
        *y += 8;
    };
    let bar = |rows: &mut String, y: &mut u32, label: &str, share: f64, most: f64| {
        let width = f64::from(BAR) * if most > 0.0 { share / most } else { 0.0 };
        let (base, end, label) = (*y + 15, LEFT + BAR + 10, escaped(label));
        let _ = writeln!(
            rows,
            r##"<text x="{}" y="{base}" text-anchor="end">{label}</text><rect x="{LEFT}" y="{}" width="{width:.2}" height="{}" fill="#3a6ea5"/><text x="{end}" y="{base}">{:.2} %</text>"##,
            LEFT - 10,
            *y + 3,
            ROW - 6,
            100.0 * share
        );
        *y += ROW;
    };
    for found in &report.answers {
        heading(
            &mut rows,
            &mut y,
            found.name.as_deref().unwrap_or(found.query()),
        );
        match &found.answer {
            Finding::Query(answer) | Finding::Path(answer) => {
                bar(&mut rows, &mut y, "hand", answer.likelihood.nearest(), 1.0);
                for turn in &answer.turns {
                    let label = format!("turn {}", turn.turn);
                    bar(&mut rows, &mut y, &label, turn.likelihood.nearest(), 1.0);
                }
            }
            Finding::Total(answer) => {
                let distribution = &answer.total;
                let shares = || distribution.values.iter().map(|(_, share)| share.nearest());
                let most = shares().fold(0.0, f64::max);
                for ((value, _), share) in distribution.values.iter().zip(shares()) {
                    bar(&mut rows, &mut y, &value.to_string(), share, most);
                }
            }
        }
    }
    let height = y + 20;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n{rows}</svg>\n",
        escaped(&report.deck)
    )
}

fn escaped(text: &str) -> String {
    markup(&harmless(text, false))
}
