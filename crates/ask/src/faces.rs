//! Cards as they are printed.

use crate::library::Library;
use crate::question::{Ask, Faces};
use decklaw_cards::pool::NameField;
use decklaw_judge::judge::Judge;
use decklaw_play::look::Look;
use decklaw_play::paper::{self, Face, Motifs, Pictures, Size};
#[cfg(feature = "paper")]
use decklaw_play::paper::{Behind, Front, Picture};
use decklaw_rules::format::Rulebook;
use decklaw_text::limits::picture::LARGEST_FILE;
use decklaw_text::{Problem, ProblemKind};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// What is printed on the cards of a rulebook's pool, and their pictures.
#[derive(Debug)]
pub struct CardRenderer {
    book: Arc<Rulebook>,
    look: Look,
    motifs: Motifs,
    /// The names of its maker's pictures, where there are any, and their folder.
    pictures: Option<(Option<PathBuf>, Pictures)>,
}

/// What is printed on cards.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "schema", rename = "decklaw/faces/1")]
#[non_exhaustive]
pub struct FacesAnswer {
    /// The cards, in the order asked.
    pub faces: Vec<CardFace>,
}

impl Ask for Faces {
    type Answer = FacesAnswer;

    fn ask(self, library: &Library) -> Result<FacesAnswer, Problem> {
        let entry = library.judge()?;
        let rulebook = entry.rules(&self.format)?;
        let cards = CardRenderer::of(&entry.judge, rulebook)?.beside(library.pictures.as_ref());
        let faces = self.cards.iter().map(|name| cards.shown(name, self.size));
        Ok(FacesAnswer { faces: faces.collect() })
    }
}

/// A picture that cannot be used.
fn problem_of(message: String) -> Problem {
    Problem::new(ProblemKind::Game, message)
}

/// A card as a page shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CardFace {
    #[serde(flatten)]
    /// What is printed on it.
    pub face: Face,
    /// The card as SVG, with drawn art in the place of a picture.
    pub svg: String,
    /// Where there is a picture of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<PictureSource>,
}

/// Where the picture of a card is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PictureSource {
    /// The format whose route has it.
    format: String,
    /// Its file in the folder of pictures.
    file: String,
}

impl CardRenderer {
    /// What is known of each card, and the pictures of the game's folder.
    ///
    /// # Errors
    /// A folder that cannot be read, and a file `look.yaml` that is wrong.
    pub fn of(judge: &Judge, book: Arc<Rulebook>) -> Result<CardRenderer, Problem> {
        let format = book.format();
        let game = format.game();
        let folder = judge.catalogue().folder(game.id());
        let folder = folder.map(|folder| folder.join(paper::PICTURES));
        let folder = folder.filter(|folder| folder.is_dir());
        let pictures = folder.map(|folder| {
            let names = Pictures::of_folder(&folder);
            names.map(|names| (Some(folder), names))
        });
        let pictures = pictures.transpose().map_err(|error| {
            problem_of(format!("{}/{}: {}", game.id(), paper::PICTURES, error.kind()))
        })?;
        let motifs = Motifs::of(judge.catalogue().files(game.id()))?;
        let look = Look::of(judge.catalogue(), game)?;
        Ok(CardRenderer { look, motifs, pictures, book })
    }

    /// A card as a page shows it; of one that the pool does not know, its name.
    pub fn shown(&self, name: &str, size: Size) -> CardFace {
        let picture = self.file(name).map(|file| PictureSource {
            format: self.book.format().id().to_owned(),
            file: file.to_owned(),
        });
        let face = self.face(name);
        CardFace { svg: face.draw(size, None).svg, face, picture }
    }

    /// What is printed on a card.
    pub fn face(&self, name: &str) -> Face {
        Face::of(self.book.pool(), &self.look, &self.motifs, name)
    }

    /// The front of a card, with its maker's picture.
    ///
    /// # Errors
    /// A picture that cannot be used.
    #[cfg(feature = "paper")]
    pub fn front(&self, name: &str) -> Result<Front, Problem> {
        let picture = self.picture(name)?.map(|bytes| Picture::read(name, bytes));
        Ok(Front { face: self.face(name), picture: picture.transpose().map_err(problem_of)? })
    }

    /// What is on the back of the game's cards.
    #[cfg(feature = "paper")]
    pub fn back(&self) -> Behind {
        Behind::of(self.book.format().game(), &self.look)
    }

    /// The colour of the backs of the game's cards.
    pub fn back_colour(&self) -> Option<String> {
        paper::back_colour(self.book.format().game(), &self.look)
    }

    /// The same with pictures that lie next to the page, by their names, where there are any.
    pub(crate) fn beside(mut self, pictures: Option<&Pictures>) -> CardRenderer {
        let beside = pictures.map(|pictures| (None, pictures.clone()));
        self.pictures = beside.or(self.pictures);
        self
    }

    /// The file of a card's picture.
    fn file(&self, name: &str) -> Option<&str> {
        let (_, pictures) = self.pictures.as_ref()?;
        let pool = self.book.pool();
        if let Some(named) = Face::picture(pool, &self.look, name) {
            let own = pictures.files().find(|file| *file == named);
            if own.is_some() {
                return own;
            }
        }
        match pool.look_up(name, NameField::Name).card() {
            // Of two pictures of one card none is shown.
            Some(card) => pictures.of_pool(pool).ok()?.get(&card).copied(),
            None => pictures.of_name(name),
        }
    }

    /// A card's picture as its maker gives it; `None`: there is none.
    ///
    /// # Errors
    /// A file that cannot be read, or is too large.
    pub fn picture(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let (Some(file), Some((folder, _))) = (self.file(name), &self.pictures) else {
            return Ok(None);
        };
        let wrong = |why: String| problem_of(format!("The picture of this card: {why}"));
        let Some(folder) = folder else {
            return Err(wrong(format!("`{file}` is next to the page, which cannot open it")));
        };
        let file = folder.join(file);
        let unread = |error: std::io::Error| wrong(error.kind().to_string());
        let length = std::fs::metadata(&file).map_err(unread)?.len();
        if length > LARGEST_FILE {
            let most = LARGEST_FILE >> 20;
            return Err(wrong(format!("its file is larger than {most} MiB")));
        }
        std::fs::read(&file).map(Some).map_err(unread)
    }
}
