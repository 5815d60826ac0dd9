//! What the rules say of the deck as it stands.

use crate::judge::Verdict;
use crate::resolve::Decklist;
use crate::rules::{Judgement, Ledger, Severity};

/// What the rules say of the deck as it stands.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) ledgers: Vec<Ledger>,
    /// Severity, rule and what is wrong; errors first.
    pub(super) findings: Vec<(Severity, String, String)>,
}

impl Judged {
    /// Judges a deck.
    pub(super) fn of(deck: &Decklist) -> Judged {
        let judgements = deck.judge();
        let rulebook = deck.rulebook();
        let finding = |judgement: &Judgement| {
            let rule = &rulebook.rules()[judgement.rule];
            let severity = rulebook.severity(judgement);
            (
                severity,
                rule.id.clone(),
                judgement.violation.message.clone(),
            )
        };
        let mut findings: Vec<_> = judgements.iter().map(finding).collect();
        findings.sort_by_key(|(severity, ..)| *severity);
        Judged {
            verdict: rulebook.verdict(&judgements),
            ledgers: deck.ledgers(),
            findings,
        }
    }
}
