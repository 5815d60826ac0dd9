//! The clock of what is kept.

use jiff::Timestamp;

/// The server's time: UTC with milliseconds, so that texts sort as times do.
pub(super) fn now() -> String {
    let now = Timestamp::now();
    format!("{:.3}", now)
}
