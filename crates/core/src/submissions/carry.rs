//! Which columns of a form are carried along, so that verdicts need no join to be mailed.

use super::SubmissionError;
use super::columns::{Columns, only, words};
use std::collections::BTreeSet;

/// Which columns of a form are carried along to every output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Carry {
    /// None.
    #[default]
    Nothing,
    /// All but those of the deck, and those that outputs have a column for: who, and when.
    All,
    /// Those of these names.
    Named(Vec<String>),
}

impl Carry {
    /// What a person says: `all`, or the names of columns with commas between; quotation marks
    /// hold a name with a comma of its own.
    ///
    /// ```
    /// use decklaw_core::submissions::Carry;
    /// assert_eq!(Carry::read("all"), Carry::All);
    /// let named = ["Table".to_owned(), "City, country".to_owned()];
    /// assert_eq!(Carry::read("Table,\"City, country\""), Carry::Named(named.to_vec()));
    /// ```
    pub fn read(said: &str) -> Carry {
        match said.trim() {
            "" => Carry::Nothing,
            all if all.eq_ignore_ascii_case("all") => Carry::All,
            said => Carry::Named(words(said)),
        }
    }

    /// The columns, and names that are all different; one without a name has its number.
    pub(super) fn columns(&self, of: &Columns) -> Result<Vec<(usize, String)>, SubmissionError> {
        let header = &of.header;
        let places: Vec<usize> = match self {
            Carry::Nothing => Vec::new(),
            Carry::All => {
                let kept = [of.player, of.family, of.identity.map(|one| one.at), of.time];
                let deck = |at: &usize| of.deck.iter().any(|part| part.at == *at);
                let free = |at: &usize| !kept.contains(&Some(*at)) && !deck(at);
                (0..header.len()).filter(free).collect()
            }
            Carry::Named(names) => {
                let each = names.iter().map(|name| only(header, name));
                each.collect::<Result<_, _>>()?
            }
        };
        let mut taken = BTreeSet::new();
        let mut columns = Vec::new();
        for at in places {
            let name = match header[at].trim() {
                "" => format!("column {}", at + 1),
                name => name.to_owned(),
            };
            let numbered = (2..).map(|number| format!("{name} ({number})"));
            let free = std::iter::once(name.clone())
                .chain(numbered)
                .find(|name| !taken.contains(name));
            let name = free.unwrap_or(name);
            taken.insert(name.clone());
            columns.push((at, name));
        }
        Ok(columns)
    }
}
