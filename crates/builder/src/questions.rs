//! Everything that a page asks, and how each question is answered.

use super::{Ask, Builder, Finishing, GameEntry, Import, Looks, Owned, Refusal, Written};
use super::{files, finish, game, live, mend, odds, own, site, tune};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// What a page asks.
pub trait Question: Serialize + DeserializeOwned {
    /// What is answered.
    type Answer: Serialize + DeserializeOwned;
    /// Answers it.
    ///
    /// # Errors
    /// What is wrong with the question, for whoever asked it.
    fn answer(self, builder: &Builder) -> Result<Self::Answer, Refusal>;
}

/// Each kind of question, and all of them as one.
macro_rules! questions {
    ($($kind:ident,)*) => {
        /// Any question.
        #[derive(Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "each is told at its type")]
        pub enum Any {
            $($kind($kind),)*
        }

        impl Any {
            /// Answers it, in JSON.
            ///
            /// # Errors
            /// Those of the question.
            pub fn answer(self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
                match self {
                    $(Any::$kind(question) => raw(&question.answer(builder)?),)*
                }
            }
        }
    };
}

questions! {
    Games, Title, Page, FaceOf, PictureOf, Live, Odds, Tune, Fix, Finish, Read, Compare, Write, Collection,
}

/// An answer in JSON: it is handed on as it is.
fn raw(answer: &impl Serialize) -> Result<Box<RawValue>, Refusal> {
    to_raw_value(answer).map_err(|_| Refusal::defect())
}

/// Bytes, which are base64 in JSON.
#[derive(Debug, Clone, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&data_encoding::BASE64.encode_display(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = data_encoding::BASE64.decode(text.as_bytes());
        bytes.map(Bytes).map_err(serde::de::Error::custom)
    }
}

/// Every game with its formats.
#[derive(Debug, Serialize, Deserialize)]
pub struct Games;

impl Question for Games {
    type Answer = Vec<GameEntry>;
    fn answer(self, builder: &Builder) -> Result<Vec<GameEntry>, Refusal> {
        Ok(game::games(&*builder.site.own()?))
    }
}

/// What a format is called.
#[derive(Debug, Serialize, Deserialize)]
pub struct Title {
    /// The format, by its id.
    pub format: String,
}

/// A format's id, its name, and its game's id.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Titled {
    /// The format's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The game's id.
    pub game: String,
}

impl Question for Title {
    type Answer = Titled;
    fn answer(self, builder: &Builder) -> Result<Titled, Refusal> {
        let format = game::format(&*builder.site.own()?, &self.format)?;
        Ok(Titled {
            id: format.id().to_owned(),
            name: format.entry().name.clone(),
            game: format.game().id().to_owned(),
        })
    }
}

/// What a page must know of a format before there is a deck.
#[derive(Debug, Serialize, Deserialize)]
pub struct Page {
    /// The format, by its id.
    pub format: String,
}

impl Question for Page {
    type Answer = Box<RawValue>;
    fn answer(self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        raw(&game::game(&*builder.site.own()?, &self.format)?)
    }
}

/// What stands on a card.
#[derive(Debug, Serialize, Deserialize)]
pub struct FaceOf {
    /// The format, by its id.
    pub format: String,
    /// The card's name.
    pub name: String,
}

impl Question for FaceOf {
    type Answer = Box<RawValue>;
    fn answer(self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        let judge = builder.site.own()?;
        let book = site::rulebook(&judge, &self.format)?;
        let looks = Looks::of(&judge, book)?.beside(builder.pictures.as_ref());
        raw(&looks.shown(&self.name))
    }
}

/// The picture of a card that its maker gives.
#[derive(Debug, Serialize, Deserialize)]
pub struct PictureOf(pub FaceOf);

impl Question for PictureOf {
    type Answer = Option<Bytes>;
    fn answer(self, builder: &Builder) -> Result<Option<Bytes>, Refusal> {
        let judge = builder.site.own()?;
        let book = site::rulebook(&judge, &self.0.format)?;
        let picture = Looks::of(&judge, book)?.picture(&self.0.name)?;
        Ok(picture.map(Bytes))
    }
}

/// Everything that is said of a deck at each change of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Live {
    /// What is asked.
    pub ask: Ask,
    /// What the asker owns; `None`: anything may be taken.
    pub owned: Option<Owned>,
}

impl Question for Live {
    type Answer = Box<RawValue>;
    fn answer(mut self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        let judge = builder.judge_of(&self.ask.format, &mut self.ask.deck)?;
        let told = live::live(&judge, &builder.kept, &self.ask, self.owned.as_ref())?;
        RawValue::from_string(told).map_err(|_| Refusal::defect())
    }
}

/// The odds of a deck.
#[derive(Debug, Serialize, Deserialize)]
pub struct Odds(pub Ask);

impl Question for Odds {
    type Answer = Box<RawValue>;
    fn answer(mut self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        let judge = builder.judge_of(&self.0.format, &mut self.0.deck)?;
        raw(&odds::odds(&judge, &self.0)?)
    }
}

/// The exchange of one card that makes a hand likeliest.
#[derive(Debug, Serialize, Deserialize)]
pub struct Tune(pub Ask);

impl Question for Tune {
    type Answer = Box<RawValue>;
    fn answer(mut self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        let judge = builder.judge_of(&self.0.format, &mut self.0.deck)?;
        raw(&tune::tune(&judge, &self.0)?)
    }
}

/// The smallest repair of a deck.
#[derive(Debug, Serialize, Deserialize)]
pub struct Fix {
    /// The format, by its id.
    pub format: String,
    /// The deck, in JSON.
    pub deck: Box<RawValue>,
    /// What the asker owns; `None`: anything may be taken.
    pub owned: Option<Owned>,
}

impl Question for Fix {
    type Answer = Box<RawValue>;
    fn answer(mut self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        let judge = builder.judge_of(&self.format, &mut self.deck)?;
        let owned = self.owned.as_ref();
        raw(&mend::fix(&judge, &self.format, &self.deck, owned)?)
    }
}

/// A deck that somebody began, finished.
#[derive(Debug, Serialize, Deserialize)]
pub struct Finish {
    /// What is asked.
    pub ask: Finishing,
    /// What the asker owns; `None`: anything may be taken.
    pub owned: Option<Owned>,
}

impl Question for Finish {
    type Answer = Box<RawValue>;
    fn answer(mut self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        let judge = builder.judge_of(&self.ask.format, &mut self.ask.deck)?;
        raw(&finish::finish(&judge, &self.ask, self.owned.as_ref())?)
    }
}

/// A deck in the words of any program.
#[derive(Debug, Serialize, Deserialize)]
pub struct Read {
    /// The format, by its id.
    pub format: Option<String>,
    /// The bytes of the file.
    pub bytes: Bytes,
    /// What it is written in, by the word that the page has for it; empty: whatever fits.
    pub input: String,
    /// The name of its file.
    pub file: String,
}

impl Question for Read {
    type Answer = Import;
    fn answer(self, builder: &Builder) -> Result<Import, Refusal> {
        let told = files::input(&self.input, &self.file);
        let judge = builder.site.own()?;
        files::import(&judge, self.format.as_deref(), &self.bytes.0, told)
    }
}

/// What two decks differ in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The format, by its id.
    pub format: String,
    /// The deck that is compared with.
    pub one: Box<RawValue>,
    /// The deck on the screen.
    pub other: Box<RawValue>,
}

impl Question for Compare {
    type Answer = Box<RawValue>;
    fn answer(mut self, builder: &Builder) -> Result<Box<RawValue>, Refusal> {
        // What is compared with is looked at by the settings of the deck on the screen.
        own::taken(&mut self.one)?;
        let judge = builder.judge_of(&self.format, &mut self.other)?;
        raw(&mend::compare(
            &judge,
            &self.format,
            &self.one,
            &self.other,
        )?)
    }
}

/// A deck as a file, or as a page to print.
#[derive(Debug, Serialize, Deserialize)]
pub struct Write {
    /// The format, by its id.
    pub format: String,
    /// The deck, in JSON.
    pub deck: Box<RawValue>,
    /// The word of a [writer](crate::WRITERS).
    pub kind: String,
}

impl Question for Write {
    type Answer = Written;
    fn answer(mut self, builder: &Builder) -> Result<Written, Refusal> {
        let settings = own::taken(&mut self.deck)?;
        let told = own::told(&settings);
        let judge = builder.judge_by(&self.format, settings)?;
        let mut written = files::write(
            &judge,
            &self.format,
            &self.deck,
            &self.kind,
            builder.pictures.as_ref(),
        )?;
        if !told.is_empty() {
            let told = format!(
                "A file holds no settings: whoever judges this deck gives them again ({told})."
            );
            written.remarks.push(told);
        }
        Ok(written)
    }
}

/// What somebody owns, from a table.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// The format, by its id.
    pub format: String,
    /// A table with the columns count and name.
    pub table: String,
}

impl Question for Collection {
    /// The game, the cards, and the names that the game does not have.
    type Answer = (String, Owned, Vec<String>);
    fn answer(self, builder: &Builder) -> Result<Self::Answer, Refusal> {
        let judge = builder.site.own()?;
        let game = game::format(&judge, &self.format)?.game().id().to_owned();
        let (owned, others) = files::collection(&judge, &self.format, self.table.as_bytes())?;
        Ok((game, owned, others))
    }
}
