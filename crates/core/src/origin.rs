//! Where what decides a verdict comes from, and what of it is not built in.

use serde::Serialize;

/// Where a game, a card file or a banlist comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// A file that the call names.
    #[default]
    Call,
    /// Compiled in.
    BuiltIn,
    /// The configuration of the user's own account.
    Account,
    /// The `decklaw.yaml` of the folder that the program runs in, which may be anybody's.
    Here,
    /// The web: the name under which an address is kept.
    Fetched(String),
    /// The copies of an event's lock.
    Lock,
}

impl Origin {
    /// What distinguishes one publisher from another: lists of two publishers are two lists,
    /// whatever ids they claim.
    pub fn publisher(&self) -> &str {
        match self {
            Origin::Call => "call",
            Origin::BuiltIn => "built-in",
            Origin::Account => "account",
            Origin::Here => "here",
            Origin::Fetched(name) => name,
            Origin::Lock => "lock",
        }
    }

    /// Whether it was fetched from the web.
    pub fn is_fetched(&self) -> bool {
        matches!(self, Origin::Fetched(_))
    }

    /// Where it comes from, in a few words.
    fn words(&self) -> String {
        match self {
            Origin::Call => "named".to_owned(),
            Origin::BuiltIn => "built in".to_owned(),
            Origin::Account => "your configuration".to_owned(),
            Origin::Here => "this folder".to_owned(),
            Origin::Fetched(name) => format!("fetched as {name}"),
            Origin::Lock => "the lock".to_owned(),
        }
    }
}

/// Something that decides verdicts and is not built in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ExternalInput {
    /// The game that it is for, by id.
    pub game: String,
    /// What it is: `rules`, `cards`, `banlist`, `setting`, `odds`, `statistics`, `taste` or
    /// `collection`.
    pub kind: &'static str,
    /// The file, the list's id, or the setting's name.
    pub name: String,
    /// SHA-256 of its bytes, lower-case hex; of a setting none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The value of a setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Whose it is: `call`, `account`, `here`, `lock`, or the name of a fetched list.
    pub from: String,
    /// Where it comes from, in words.
    #[serde(skip)]
    words: String,
}

impl ExternalInput {
    /// A file or list.
    pub fn file(
        game: &str,
        kind: &'static str,
        name: &str,
        sha256: &str,
        origin: &Origin,
    ) -> Option<ExternalInput> {
        (*origin != Origin::BuiltIn).then(|| ExternalInput {
            game: game.to_owned(),
            kind,
            name: name.to_owned(),
            sha256: Some(sha256.to_owned()),
            value: None,
            from: origin.publisher().to_owned(),
            words: origin.words(),
        })
    }

    /// A setting that the call or a lock gives.
    pub fn setting(game: &str, name: &str, value: &str, origin: &Origin) -> ExternalInput {
        ExternalInput {
            game: game.to_owned(),
            kind: "setting",
            name: name.to_owned(),
            sha256: None,
            value: Some(value.to_owned()),
            from: origin.publisher().to_owned(),
            words: origin.words(),
        }
    }
}

impl std::fmt::Display for ExternalInput {
    /// `cards of shell: my.csv (named, sha256 0123456789ab…)`
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.value, &self.sha256) {
            (Some(value), _) => write!(out, "setting of {}: {}={value}", self.game, self.name),
            (None, digest) => {
                let digest = digest.as_deref().unwrap_or_default();
                let start = digest.get(..12).unwrap_or(digest);
                let (kind, game, name, words) = (self.kind, &self.game, &self.name, &self.words);
                write!(out, "{kind} of {game}: {name} ({words}, sha256 {start}…)")
            }
        }
    }
}

/// Some inputs in one line.
pub fn in_one_line(given: &[ExternalInput]) -> String {
    let each: Vec<String> = given.iter().map(ToString::to_string).collect();
    each.join("; ")
}
