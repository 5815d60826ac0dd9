//! A saved match, step by step.

use crate::library::Library;
use crate::position::{position, shown_line};
use crate::question::{Ask, Replay};
use crate::{JudgeEntry, problem};
use decklaw_play::look::{Look, Mat};
use decklaw_play::matches::{
    Match, MatchLog, MatchRules, Reader, SeatId, SeedSource, UnverifiedMatch,
};
use decklaw_play::paper::{back, back_colour};
use decklaw_rules::format::Rulebook;
use decklaw_text::digest::sha256;
use decklaw_text::problem::{Problem, ProblemKind};
use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The most matches that are kept for the next steps.
const MOST_KEPT: usize = 8;

/// How many moves lie between two kept states of a match.
const EACH: usize = 100;

/// The most later lines of a log that an answer has.
const LATER: usize = 100;

/// A match after some of its moves: `decklaw/replay/1`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "schema", rename = "decklaw/replay/1")]
#[non_exhaustive]
pub struct ReplayAnswer {
    /// The SHA-256 of the file: the next question may have it in the place of the text.
    #[serde(rename = "match")]
    pub file: String,
    /// The moves that were made before what is shown.
    pub at: usize,
    /// All moves.
    pub moves: usize,
    /// What it proves that the file verifies, a sentence each.
    pub proves: Vec<String>,
    /// The layout of the game's table.
    pub mat: Option<Mat>,
    /// The back of its cards, as SVG.
    pub back: String,
    /// The view and the log so far, as a table shows them.
    #[serde(flatten)]
    pub position: Value,
    /// What happened next: lines of the log.
    pub later: Vec<Value>,
}

/// A match that was read and dealt again.
struct Replayed {
    made: Match,
    /// The match after 0, 100, 200, … moves.
    kept: Vec<Match>,
    book: Arc<Rulebook>,
    mat: Option<Mat>,
    /// The back of a card, as SVG.
    back: String,
    log: MatchLog,
    is_own_format: bool,
}

/// The newest matches, by the SHA-256 of their files: a step of a replay sends no file again.
static KEPT: Mutex<VecDeque<(String, Arc<Replayed>)>> = Mutex::new(VecDeque::new());

impl Replayed {
    fn of(judge: &JudgeEntry, text: &str) -> Result<Replayed, Problem> {
        let read = UnverifiedMatch::read(text.as_bytes())?;
        let book = judge.rules(&read.inputs.format)?;
        let rules = MatchRules::of_format(book.format())?;
        let rules = rules.ok_or_else(|| {
            let message = format!("`{}` does not say how a match starts", read.inputs.format);
            Problem::new(ProblemKind::Match, message)
        })?;
        let made = read.verify(&rules.game())?;
        let game = book.format().game();
        let look = Look::of(judge.catalogue(), game)?;
        let mat = look.mat(book.format());
        let back = back(&game.file.name, back_colour(game, &look).as_deref());
        let log = made.log(&rules.setup, mat.as_ref())?;
        let mut kept = vec![made.at(&rules.setup, 0)?];
        for moves in made.moves().chunks_exact(EACH) {
            let next = kept[kept.len() - 1].advanced(moves)?;
            kept.push(next);
        }
        let is_own_format = made.inputs.rules_sha256 == rules.game().rules_sha256;
        Ok(Replayed { made, kept, book, mat, back, log, is_own_format })
    }

    fn proves(&self) -> Vec<String> {
        let moves = decklaw_text::text::counted(self.made.moves().len() as i64, "move");
        let dealt = match self.made.inputs.randomness.seed_source {
            SeedSource::Combined => {
                "The deal follows from the server\u{2019}s secret and bytes of each player: nobody chose it alone."
            }
            SeedSource::System => {
                "The deal follows from the seed in the file, which a computer drew."
            }
            SeedSource::Text => {
                "The deal follows from a text in the file: its author could try several."
            }
        };
        let mut proves = vec![
            format!("The inputs, the state and {moves} fit their digests."),
            dealt.to_owned(),
            format!("SHA-256 of the inputs: {}.", self.made.inputs_digest()),
        ];
        if !self.is_own_format {
            proves.push("The file was made with another version of the format.".to_owned());
        }
        proves
    }
}

/// The reader of a word: a seat, `public` or `open`.
fn reader(seat: &str) -> Result<Reader, Problem> {
    match seat {
        "" | "public" => Ok(Reader::Public),
        "open" => Ok(Reader::Open),
        seat => SeatId::parse(seat).map(Reader::Seat).ok_or_else(|| {
            problem::query(format!("unknown seat `{seat}`; use A, B, C, D, `public` or `open`"))
        }),
    }
}

impl Ask for Replay {
    type Answer = ReplayAnswer;

    fn ask(self, library: &Library) -> Result<ReplayAnswer, Problem> {
        let reader = reader(self.seat.as_deref().unwrap_or_default())?;
        let text = self.file.trim();
        let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digest = if is_digest { text.to_owned() } else { sha256(text.as_bytes()) };
        let known = || {
            let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            let known = kept.iter().find(|(known, _)| *known == digest);
            known.map(|(_, replayed)| Arc::clone(replayed))
        };
        let replayed = match known() {
            Some(known) => known,
            None if is_digest => {
                let problem = problem::query("this match is not kept any more");
                return Err(problem.with_help("send the match file again"));
            }
            None => {
                let new = Arc::new(Replayed::of(&*library.judge()?, text)?);
                let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push_front((digest.clone(), Arc::clone(&new)));
                kept.truncate(MOST_KEPT);
                new
            }
        };
        let Replayed { made, kept, book, mat, log, .. } = &*replayed;
        let moves = made.moves();
        let at = self.at.unwrap_or(moves.len()).min(moves.len());
        let then = kept[at / EACH].advanced(&moves[at - at % EACH..at])?;
        let lines = made.inputs.decisions.len() + at;
        let later = log.lines(lines, reader).take(LATER).map(shown_line).collect();
        let log = log.until(lines);
        let pool = then.pending.is_empty().then(|| &**book.pool());
        let position = position(&then, &log, (pool, mat.as_ref()), reader)?;
        Ok(ReplayAnswer {
            file: digest,
            at,
            moves: moves.len(),
            proves: replayed.proves(),
            mat: mat.clone(),
            back: replayed.back.clone(),
            position,
            later,
        })
    }
}
