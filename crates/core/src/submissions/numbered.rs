//! Times that a spreadsheet shows as numbers: told with what they probably mean, never read.

use crate::spreadsheet::{moment, moment_in_words};

/// The first of a form's times that is a number of days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Numbered {
    first: Option<(u64, String)>,
}

impl Numbered {
    /// Looks at a cell that is no time.
    pub(super) fn look(&mut self, row: u64, cell: &str) {
        if self.first.is_none() && moment(cell).is_some() {
            self.first = Some((row, cell.to_owned()));
        }
    }

    /// What is to be said of it.
    pub(super) fn warning(&self) -> Option<String> {
        let (row, cell) = self.first.as_ref()?;
        let at = moment_in_words(moment(cell)?);
        Some(format!(
            "the time in row {row} is a spreadsheet's number of days: `{cell}` is probably {at}; \
             give that column the format of a date and save the form again"
        ))
    }
}
