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
}

impl Kind {
    /// How what is written is read again.
    pub(super) fn input(self) -> Input {
        match self {
            Kind::Text | Kind::List => Input::Text,
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
        }
    }
}
