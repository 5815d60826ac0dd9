//! Stand-in.
#![allow(missing_docs)]
use super::{DeckReport, Verdict};
pub struct Style {
    pub width: usize,
    pub colour: bool,
    pub unicode: bool,
    pub quiet: bool,
    pub verbose: bool,
}
#[derive(Default)]
pub struct Totals {
    pub legal: usize,
    pub other: usize,
}
impl Totals {
    pub fn add(&mut self, r: &DeckReport) {
        if r.verdict == Verdict::Legal {
            self.legal += 1
        } else {
            self.other += 1
        }
    }
    pub fn decks(&self) -> usize {
        self.legal + self.other
    }
}
pub fn deck(r: &DeckReport, _s: &str, _st: &Style) -> String {
    let mut o = format!("{} {}\n", r.deck, r.verdict.word());
    for f in &r.findings {
        o.push_str(&format!(
            "  {:?} {} {:?} {} | {}\n",
            f.severity,
            f.rule,
            f.place.map(|p| p.line),
            f.message,
            f.mend
        ));
    }
    o
}
pub fn summary(t: &Totals, _s: &Style) -> String {
    format!("{} of {}\n", t.legal, t.decks())
}
