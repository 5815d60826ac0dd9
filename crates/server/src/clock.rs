//! The clock of what is kept.

use jiff::civil::Date;
use jiff::{Timestamp, Zoned};

/// The server's time: UTC with milliseconds, so that texts sort as times do.
pub(super) fn now() -> String {
    let now = Timestamp::now();
    format!("{:.3}", now)
}

/// The day here.
pub(super) fn today() -> Date {
    Zoned::now().date()
}
