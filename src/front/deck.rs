//! A deck that was read.

use super::{
    BuildQuestion, Error, FixQuestion, Fixed, Game, OddsQuestion, Renamed, Report, Room, Stats,
    TuneQuestion, fix,
};
use decklaw_core::deck::{self, Input};
use decklaw_core::judge::{Judge, ReadDeck};
use decklaw_core::resolve::{Decklist, Resolved};

/// A deck of a game, its names looked up.
///
/// ```
/// use decklaw::Game;
/// let deck = Game::built_in("shell")?.read(std::fs::read("decks/shell/ebb.txt")?)?;
/// assert!(deck.check().is_legal());
/// assert!(deck.odds("1+ [mana<=2]").ask()?.probability > Some(0.9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Deck {
    pub(super) game: Game,
    pub(super) text: Vec<u8>,
    pub(super) input: Input,
    report: Report,
    list: Decklist,
}

impl std::fmt::Debug for Deck {
    /// Its format, its text and its verdict.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Deck")
            .field("format", &self.game.format())
            .field("verdict", &self.report.verdict)
            .field("text", &self.text())
            .finish()
    }
}

impl serde::Serialize for Deck {
    /// Its format and its cards by section, as `decklaw convert --to-format json` writes
    /// them.
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let text = deck::to_json(&self.list.listing());
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(serde::ser::Error::custom)?;
        value.serialize(to)
    }
}

impl Deck {
    pub(super) fn read(game: &Game, bytes: &[u8], input: Input) -> Result<Deck, Error> {
        let judge = game.judge();
        let unreadable = |report: Report| Error::Unreadable(Box::new(report));
        let opened = match judge.open_file(bytes, input, None) {
            Ok(opened) => opened,
            Err(error) => return Err(unreadable(Report::of_no_deck(error.to_string()))),
        };
        let read = judge.read(&opened.source, opened.input, None);
        let read = read.map_err(Error::game)?;
        let mut report = judge.report("-", &read, None);
        let list = match read {
            ReadDeck::Deck(resolved) => Some(resolved.into_list()),
            _ => None,
        };
        let (text, input) = (opened.source.to_vec(), opened.input);
        // What there is to know of the text itself, such as another encoding.
        report.note(opened);
        let report = Report::of(&report);
        let Some(list) = list else {
            return Err(unreadable(report));
        };
        Ok(Deck {
            game: game.clone(),
            text,
            input,
            report,
            list,
        })
    }

    /// Everything that was found of it. It is what `decklaw check` says.
    pub fn check(&self) -> Report {
        self.report.clone()
    }

    /// The deck as one that may be dealt.
    ///
    /// # Errors
    /// What is wrong with it.
    ///
    /// ```
    /// let game = decklaw::Game::built_in("shell")?;
    /// let report = game.read("Main\n2 Rain Caller\n")?.legal().unwrap_err();
    /// assert_eq!(report.verdict, "incomplete");
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn legal(self) -> Result<LegalDeck, Box<Report>> {
        match self.report.is_legal() {
            true => Ok(LegalDeck(self)),
            false => Err(Box::new(self.report)),
        }
    }

    /// How likely an opening hand holds what a query asks for, by the game's own hand and
    /// mulligan. It is what `decklaw odds DECK QUERY` answers.
    pub fn odds(&self, query: &str) -> OddsQuestion<'_> {
        OddsQuestion::new(self, query)
    }

    /// The smallest change that makes it legal. It is what `decklaw fix DECK` answers.
    pub fn fix(&self) -> FixQuestion<'_> {
        FixQuestion::new(self)
    }

    /// The legal deck that keeps most of its cards and has what is missing: it is what `decklaw build
    /// --from DECK` answers.
    ///
    /// ```
    /// let game = decklaw::Game::built_in("shell")?;
    /// let begun = game.read("Main\n3 Moss Sprite\n")?;
    /// let built = begun.finish().wish("10+ [colour:blue]").find()?;
    /// assert!(built.deck.check().is_legal() && !built.changes.is_empty());
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn finish(&self) -> BuildQuestion<'_> {
        BuildQuestion::finishing(self)
    }

    /// The smallest exchange with the side deck that brings cards in or takes them out, as
    /// `in: "Rain Caller" 2; out: "Moss Sprite"`. It is what `decklaw swap DECK WISH` answers. The
    /// deck that comes of it is one to play with: as a list to hand in it may be illegal.
    ///
    /// # Errors
    /// [`Error::Question`]: a game without a side deck, a card that is not there, or more copies
    /// than there are.
    pub fn swap(&self, wish: &str) -> Result<Fixed, Error> {
        fix::swapped(self, wish)
    }

    /// How many more copies of each card fit into each section, each other card left as it is. It
    /// is what `decklaw room DECK` answers; for decks of thousands of different cards it takes
    /// minutes.
    ///
    /// ```
    /// let game = decklaw::Game::built_in("shell")?;
    /// let deck = game.read("Main\n2 Moss Sprite\n")?;
    /// let room = deck.room();
    /// let sprite = room.iter().find(|room| room.card == "Moss Sprite" && room.section == "main");
    /// assert_eq!(sprite.map(|room| (room.has, room.more)), Some((2, Some(1))));
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn room(&self) -> Vec<Room> {
        Room::of(self)
    }

    /// The exchange of cards that makes a hand likeliest. It is what `decklaw tune DECK QUERY`
    /// answers.
    pub fn tune(&self, query: &str) -> TuneQuestion<'_> {
        TuneQuestion::new(self, query)
    }

    /// What it is made of. It is what `decklaw stats DECK` counts.
    ///
    /// # Errors
    /// [`Error::Game`]: the game's statistics do not fit its cards.
    pub fn stats(&self) -> Result<Stats, Error> {
        Stats::of(self)
    }

    /// The digest of its content: the same for decks that differ in order, names and comments
    /// alone.
    pub fn hash(&self) -> String {
        self.list.hash()
    }

    /// The copies in it, in all sections.
    pub fn size(&self) -> i64 {
        self.list.holdings().map(|holding| holding.copies).sum()
    }

    /// Its cards: the section's id, the card's name, the copies; in the order of the sections.
    pub fn cards(&self) -> impl Iterator<Item = (&str, &str, i64)> {
        let list = &self.list;
        list.holdings().map(|holding| {
            let section = &list.sections()[usize::from(holding.section)];
            (section.as_str(), list.name(holding.card), holding.copies)
        })
    }

    /// It as it was read, in UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.text).unwrap_or_default()
    }

    pub(super) fn list(&self) -> &Decklist {
        &self.list
    }

    /// The deck with the place of each word, as some questions need it.
    pub(super) fn resolved(&self) -> Result<Resolved<'_>, Error> {
        let judge: &Judge = self.game.judge();
        judge.deck(&self.text, self.input).map_err(Error::game)
    }

    /// The deck with other cards: its text as it is where that can be changed in place, with
    /// comments and order, and written anew where it cannot.
    pub(super) fn with(&self, after: &Decklist) -> Result<Deck, Error> {
        let resolved = self.resolved()?;
        let (text, input) = (&self.text, self.input);
        let changed =
            decklaw_engine::solve::rewrite(text, input, resolved.deck(), &self.list, after);
        let (text, input) = match changed {
            Ok(text) => (text, input),
            Err(_) => decklaw_engine::solve::anew(input, resolved.deck(), after),
        };
        Deck::read(&self.game, &text, input)
    }

    /// The deck with its misspelt names corrected that have one near card, and those names.
    pub(super) fn corrected(&self) -> Result<(Deck, Vec<Renamed>), Error> {
        let resolved = self.resolved()?;
        let mut misnamed = decklaw_engine::solve::misnamed(&resolved);
        misnamed.retain(|one| one.certain);
        let text = decklaw_engine::solve::renamed(&self.text, self.input, &resolved, &misnamed);
        let Some(text) = text.ok().filter(|_| !misnamed.is_empty()) else {
            return Ok((self.clone(), Vec::new()));
        };
        let renamed = misnamed.into_iter().filter_map(|one| {
            let to = one.meant()?.to_owned();
            Some(Renamed {
                from: one.name,
                to,
                lines: one.lines,
            })
        });
        Ok((
            Deck::read(&self.game, &text, self.input)?,
            renamed.collect(),
        ))
    }

    /// A deck of a list that was made.
    pub(super) fn of_list(game: &Game, list: &Decklist) -> Result<Deck, Error> {
        Deck::read(game, deck::to_text(&list.listing()).as_bytes(), Input::Text)
    }
}

/// A deck that keeps every rule of its format: the only kind that is [dealt](super::Table::deal).
#[derive(Debug, Clone)]
pub struct LegalDeck(pub(super) Deck);

impl LegalDeck {
    /// The deck, to ask more of it.
    pub fn deck(&self) -> &Deck {
        &self.0
    }
}
