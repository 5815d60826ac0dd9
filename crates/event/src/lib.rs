//! An event: a folder that commands and the server share.
//!
//! `event.yaml` says what the event is, `lock` judges its decks, and `entries.db` has three plain
//! tables: players, entries (decks as they came) and decisions. [`Roster`] is the players and
//! entries after every decision, and [`Standing`] is whose deck counts: a pure function of both.
//!
//! ```
//! use decklaw_event::{Person, PlayerMatch, Roster};
//! let roster = Roster::default();
//! assert_eq!(roster.whose(&Person::named("Kim Lee")), PlayerMatch::New);
//! ```

mod about;
mod conflict;
mod decision;
mod deck;
mod detail;
mod error;
mod event;
mod id;
mod identity;
mod import;
mod names;
mod preview;
mod report;
mod roster;
mod sheets;
mod standing;
mod stats;
mod store;
mod words;

pub use about::{About, LONGEST_NAME, LONGEST_TEXT, Late};
pub use decision::{Author, Decision, DecisionRow, Imported};
pub use deck::{ComparedDeck, DeckCheck, EntryDeck};
pub use detail::{EntryDetail, SectionDetail};
pub use error::EventError;
pub use event::Event;
pub use id::{EntryId, PlayerId};
pub use identity::PlayerMatch;
pub use import::{
    DeckFile, Form, FormError, FormSettings, Preview, read_archive, read_decks, read_folder,
    read_form, read_people, standing_of_form,
};
pub use preview::RowPreview;
pub use report::{Activity, LISTS, Named, PlayerReport, QuestionReport, StatusReport, sheet};
pub use roster::{AmbiguityReason, Entry, Person, Player, Roster};
pub use standing::{Arrival, Counting, PlayerStanding, Question, Standing};
pub use stats::{CardUse, EventStats};
pub use store::{NewRow, make_private};
pub use words::DecisionReport;
