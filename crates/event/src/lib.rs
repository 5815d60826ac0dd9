//! An event: one folder, one roster, one verdict.
//!
//! An [`Event`] is a folder that commands and the desk of `decklaw serve` share: `event.yaml` says
//! what it is, `lock` what its decks are judged by, and `entries.db` keeps everything that
//! happened: who is on the list, every deck as it came, and what the organisers decided. [`Roster`] is what comes of reading it from the first record to
//! the last, and [`Standing`] is whose deck counts.
//!
//! ```
//! use decklaw_event::{Counting, Late, Person, Roster, Time};
//! let mut roster = Roster::default();
//! let kim = roster.whose(&Person::named("Kim Lee"));
//! assert!(kim.is_new());
//! # let _ = (Late::Beside, Time::Unsaid, Counting::Missing);
//! ```

mod about;
mod alike;
mod event;
mod export;
mod import;
mod meta;
mod papers;
mod record;
mod roster;
mod standing;
mod store;
mod verdict;

pub use about::{About, AboutError, Late};
pub use event::{Event, EventError};
pub use export::{LISTS, Listed, sheet};
pub use import::{
    Form, FormError, Preview, Settings, Source, gathered, read_folder, read_form, read_people,
};
pub use meta::{CardUse, Meta};
pub use papers::{Known, of_player};
pub use record::{
    By, Decision, EntryId, Fact, Happening, Personal, PlayerId, Question, Record, Whose, Why,
};
pub use roster::{Entry, Name, Note, Person, Player, Roster};
pub use standing::{Came, Counting, Standing, Time};
pub use store::StoreError;
pub use verdict::{Checked, Handed, handed};
