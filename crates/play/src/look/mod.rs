//! What pages and paper show of a game, from the file `look.yaml` of its folder: how a card looks,
//! the layout of a table, the deck builder, and the first steps of a deck. No rule, deck or deal
//! depends on it.

mod builder;
mod face;
mod mat;
#[cfg(test)]
mod tests;

pub use builder::{Builder, BuilderEntry, OfferEntry, StartEntry, Step};
pub use face::{ArtEntry, ColourEntry, FaceEntry, GREY, Names, PICTURES, Part, parts, titled};
pub use mat::{LayoutEntry, Mat, MatCounter, MatEntry, MatZone, ZoneLook};

use decklaw_cards::pool::Pool;
use decklaw_engine::solve::Wish;
use decklaw_rules::format::{Catalogue, Game, LOOK, Lint, remarks_on};
use decklaw_text::yaml::{FileError, Problem, Spanned, read, text_of};
use serde::Deserialize;

/// What pages and paper show of a game. A game without the file has the default.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// How a card looks on pages and paper.
    #[serde(default)]
    pub face: Option<Spanned<FaceEntry>>,
    /// The layout of a table on pages.
    #[serde(default)]
    pub mat: Option<Spanned<MatEntry>>,
    /// Which fields filter, group and make the curve in the deck builder.
    #[serde(default)]
    pub builder: Option<Spanned<BuilderEntry>>,
    /// The first steps of an empty deck in the deck builder.
    #[serde(default)]
    pub start: Option<Spanned<Vec<Spanned<StartEntry>>>>,
}

impl Look {
    /// Reads the file of a game.
    ///
    /// # Errors
    /// Every mistake, with its place: keys, and fields, words, sections, formats, zones and counters
    /// that the game does not have.
    pub fn read(game: &Game, source: &str, text: &str) -> Result<Look, FileError> {
        Look::check(game, None, source, text)
    }

    /// The same, with the cards of the game where they are known: the fields that card files add
    /// and the wishes of decks are checked, too.
    ///
    /// # Errors
    /// As [`read`](Look::read).
    pub fn check(
        game: &Game,
        cards: Option<&Pool>,
        source: &str,
        text: &str,
    ) -> Result<Look, FileError> {
        let refuse = |problems| FileError::of(source, text, problems);
        let look: Look = read(text).map_err(|problem| refuse(vec![problem]))?;
        let mut problems = Vec::new();
        let mut lint = Lint { game, cards, problems: &mut problems };
        if let Some(face) = &look.face {
            face::lint(&mut lint, face);
        }
        if let Some(mat) = &look.mat {
            mat::lint(&mut lint, mat);
        }
        builder::lint(&mut lint, &look);
        problems.sort_by_key(|problem| problem.span);
        if problems.is_empty() { Ok(look) } else { Err(refuse(problems)) }
    }

    /// The look of a game of a catalogue.
    ///
    /// # Errors
    /// As [`read`](Look::read).
    pub fn of(catalogue: &Catalogue, game: &Game) -> Result<Look, FileError> {
        let Some(bytes) = catalogue.file(game.id(), LOOK) else {
            return Ok(Look::default());
        };
        let name = catalogue.path(game.id(), LOOK);
        Look::read(game, &name, text_of(&name, bytes)?)
    }

    /// How a card looks, where the game says so.
    pub fn face(&self) -> Option<&FaceEntry> {
        self.face.as_ref().map(|face| &face.value)
    }

    /// The number of its parts.
    pub fn parts(&self) -> usize {
        let parts =
            [self.face.is_some(), self.mat.is_some(), self.builder.is_some(), self.start.is_some()];
        parts.into_iter().filter(|is_there| *is_there).count()
    }

    /// Words of its queries that no card of a pool has.
    pub fn remarks(&self, game: &Game, pool: &Pool) -> Vec<Problem> {
        let art = self.face().into_iter();
        let art = art.flat_map(|face| face.art.iter().chain(&face.sign).chain(&face.hour));
        let zones = self.mat.iter().flat_map(|mat| mat.value.zones.values());
        let queries = art.filter_map(|art| art.value.of.as_ref());
        let mut remarks = Vec::new();
        for query in queries.chain(zones.filter_map(|zone| zone.value.takes.as_ref())) {
            remarks_on(query, pool, &mut remarks);
        }
        let steps = self.start.iter().flat_map(|start| &start.value);
        let offers = steps.flat_map(|step| &step.value.choose);
        for wish in offers.flat_map(|offer| &offer.wish) {
            let unmatched = Wish::of(&wish.value, game, pool);
            let unmatched = unmatched.map_or_else(|_| Vec::new(), |wish| wish.unmatched().to_vec());
            remarks.extend(unmatched.iter().map(|warning| Problem::in_query(wish, warning)));
        }
        remarks
    }
}
