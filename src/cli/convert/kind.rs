//! What `convert` writes.

use crate::deck::Input;

/// What to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    // The text dialect
    Text,
    // YAML
    Yaml,
    // JSON
    Json,
    // A table: count, name, section
    Csv,
    // Bare lines of a count and a name, for one section
    List,
    // Cockatrice's XML
    Cod,
    // The end of a link that holds the deck, for any server's address
    Link,
    // Registration sheets to print, in HTML
    Sheet,
    // Deck-check slips to print, in HTML: the registered list with boxes to tick
    Slip,
}

impl Kind {
    /// Whether it is for people to print, and for nobody to read again.
    pub(super) fn is_paper(self) -> bool {
        matches!(self, Kind::Sheet | Kind::Slip)
    }

    /// How what is written is read again.
    pub(super) fn input(self) -> Input {
        match self {
            Kind::Text | Kind::List | Kind::Sheet | Kind::Slip => Input::Text,
            Kind::Yaml => Input::Yaml,
            Kind::Json | Kind::Link => Input::Json,
            Kind::Csv => Input::Csv,
            Kind::Cod => Input::Cockatrice,
        }
    }

    /// The word for it on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Yaml => "yaml",
            Kind::Json => "json",
            Kind::Csv => "csv",
            Kind::List => "list",
            Kind::Cod => "cod",
            Kind::Link => "link",
            Kind::Sheet => "sheet",
            Kind::Slip => "slip",
        }
    }

    pub(super) fn called(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Yaml => "YAML",
            Kind::Json => "JSON",
            Kind::Csv => "a table",
            Kind::List => "a bare list",
            Kind::Cod => "a Cockatrice deck",
            Kind::Link => "a link",
            Kind::Sheet => "a sheet",
            Kind::Slip => "a slip",
        }
    }
}
