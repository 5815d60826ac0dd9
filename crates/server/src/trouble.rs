//! What went wrong, as a page or as JSON.

use super::page;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use decklaw_core::judge::JudgeError;
use decklaw_core::{Place, Problem, ProblemKind};
use decklaw_play::matches::MatchError;
use maud::html;

/// Why there is no answer: a status of HTTP, and the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    /// The status.
    pub(super) status: u16,
    /// What is wrong; may be empty.
    pub(super) message: String,
    /// What to do about it; may be empty.
    pub(super) help: String,
    /// What it is about, for programs.
    kind: ProblemKind,
    /// Where it is in a text that was sent.
    place: Option<Place>,
}

impl Trouble {
    /// A trouble of a status.
    pub(super) fn new(status: u16, message: impl Into<String>, help: impl Into<String>) -> Trouble {
        Trouble {
            status,
            message: message.into(),
            help: help.into(),
            kind: match status {
                404 => ProblemKind::NotFound,
                500.. => ProblemKind::Defect,
                _ => ProblemKind::Query,
            },
            place: None,
        }
    }

    /// The request is wrong.
    pub(super) fn wrong(message: impl Into<String>) -> Trouble {
        Trouble::new(400, message, "")
    }

    /// There is no such thing.
    pub(super) fn none(what: &str) -> Trouble {
        Trouble::new(
            404,
            format!("There is no {what} here."),
            "Look at the address again, or begin at the first page.",
        )
    }

    /// Too much is asked at once.
    pub(super) fn busy() -> Trouble {
        Trouble::new(
            503,
            "This machine has more to do than it can right now.",
            "Try again in a few seconds; nothing was lost.",
        )
    }

    /// What is asked takes more time or memory than anything may.
    pub(super) fn too_much() -> Trouble {
        Trouble::new(
            422,
            "This takes more time or memory than is given to one question here, so there is no answer.",
            "Ask for less at once; `decklaw` at a command line has no such limit.",
        )
    }

    /// What is kept cannot be read: something other than this program changed it.
    pub(super) fn damaged(what: &str) -> Trouble {
        Trouble::new(
            500,
            format!("What is kept of this {what} is damaged."),
            "Whoever runs this machine must put a copy of its data back.",
        )
    }

    /// A defect.
    pub(super) fn defect() -> Trouble {
        Trouble::new(
            500,
            "This is a defect in decklaw.",
            "Please report it with what you did.",
        )
    }

    /// The same as JSON.
    pub(super) fn json(&self) -> Response {
        let mut problem = Problem::new(self.kind, &self.message).with_help(&self.help);
        problem.place.clone_from(&self.place);
        // It is plain data.
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.code(), kind, body).into_response()
    }

    fn code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<Problem> for Trouble {
    fn from(problem: Problem) -> Trouble {
        Trouble {
            status: match problem.kind {
                ProblemKind::NotFound => 404,
                ProblemKind::Impossible | ProblemKind::Limit | ProblemKind::Match => 422,
                ProblemKind::Defect => 500,
                _ => 400,
            },
            message: problem.message,
            help: problem.help.unwrap_or_default(),
            kind: problem.kind,
            place: problem.place,
        }
    }
}

impl From<&JudgeError> for Trouble {
    fn from(error: &JudgeError) -> Trouble {
        Problem::from(error).into()
    }
}

impl From<&MatchError> for Trouble {
    fn from(error: &MatchError) -> Trouble {
        Problem::from(error).into()
    }
}

impl From<getrandom::Error> for Trouble {
    fn from(error: getrandom::Error) -> Trouble {
        Trouble::new(
            500,
            format!("This system gives no random numbers: {error}"),
            "",
        )
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let title = match self.status {
            401 | 403 => "This needs a key",
            404 => "Not found",
            507 => "Not stored",
            _ => "This did not work",
        };
        let body = html! {
            body {
                header.bar { (page::logo()) }
                main.desk.narrow {
                    h1 { (title) }
                    p.message role="alert" { (self.message) }
                    @if !self.help.is_empty() { p { (self.help) } }
                    p { a.btn href="/" { "Start page" } }
                }
            }
        };
        let sheets = ["base.css", "desk.css"];
        let mut response = page::styled(title, &sheets, &[], body).into_response();
        *response.status_mut() = self.code();
        response
    }
}
