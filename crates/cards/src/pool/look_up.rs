//! The one way from a name to a card: for decks, banlists, collections, wishes, queries and pages.
//!
//! No other function finds a card by its name, so that what is a card in a deck is that card
//! everywhere.

use super::{CardId, Column, Pool};
use crate::pasted::marks;
use decklaw_text::name::{
    self, Names, fold, lenient, loose, loose_of, may_differ, without_accents,
};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::OnceLock;

/// The most names that are suggested for one, and that one is said to fit as well as another.
const MOST_NAMES: usize = 3;

/// What a name is the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NameField<'f> {
    /// Of one card.
    #[default]
    Name,
    /// Of all cards that have it in this field, such as the title that several printings have. A
    /// card without a value there goes by its name.
    Title(&'f str),
}

/// How a name is written, the plainest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spelling {
    /// As the pool has it, or as an alias, but for case, white space and marks that look alike.
    Folded,
    /// Without its accents, apostrophes or hyphens, or with other blanks around a slash.
    Loose,
    /// By what is before its `//`.
    FrontFace,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup<'p> {
    /// One card.
    Card {
        /// The card.
        card: CardId,
        /// How its name is written.
        spelling: Spelling,
    },
    /// The cards that have one title.
    Title {
        /// The title.
        title: &'p Title,
        /// How it is written.
        spelling: Spelling,
    },
    /// Nothing, since it fits several names as well as each other: the first three of them.
    Several(Vec<&'p str>),
    /// Nothing.
    Unknown,
}

impl Lookup<'_> {
    /// The one card.
    pub fn card(&self) -> Option<CardId> {
        match self {
            Lookup::Card { card, .. } => Some(*card),
            _ => None,
        }
    }

    /// All cards that are meant.
    pub fn cards(&self) -> &[CardId] {
        match self {
            Lookup::Card { card, .. } => std::slice::from_ref(card),
            Lookup::Title { title, .. } => &title.cards,
            Lookup::Several(_) | Lookup::Unknown => &[],
        }
    }

    /// The name as the pool has it.
    pub fn name<'a>(&'a self, pool: &'a Pool) -> Option<&'a str> {
        match self {
            Lookup::Card { card, .. } => Some(pool.name(*card)),
            Lookup::Title { title, .. } => Some(&title.name),
            Lookup::Several(_) | Lookup::Unknown => None,
        }
    }

    /// How the name is written, where it is one.
    pub fn spelling(&self) -> Option<Spelling> {
        match self {
            Lookup::Card { spelling, .. } | Lookup::Title { spelling, .. } => Some(*spelling),
            Lookup::Several(_) | Lookup::Unknown => None,
        }
    }

    /// Whether it is a name, and written otherwise than names are.
    pub fn is_loose(&self) -> bool {
        self.spelling() > Some(Spelling::Folded)
    }
}

/// What may be meant by a name that is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Near<'p, 'n> {
    /// The nearest names, best first, at most three.
    pub names: Vec<&'p str>,
    /// The name itself, without a set, a number or another mark around it.
    pub name: &'n str,
    /// Whether the first of the names is certainly the one that was meant: see
    /// [`is_slip`](decklaw_text::name::is_slip).
    pub is_certain: bool,
}

/// A value of a field, and the cards that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    /// Its place among those of its field.
    pub number: u32,
    /// The value as its first card has it.
    pub name: Box<str>,
    /// The cards in canonical order.
    pub cards: Vec<CardId>,
}

/// The titles of a field.
#[derive(Debug, Clone, Default)]
pub(super) struct Titles {
    all: Vec<Title>,
    /// By their folds.
    folded: FxHashMap<Box<str>, u32>,
    forms: Forms,
    /// Numbers have one spelling.
    is_number: bool,
}

/// Names that are spelt otherwise, by their forms, once one is asked for. A name is a number: that
/// of a card, or of a title.
#[derive(Debug, Clone, Default)]
pub(super) struct Forms {
    lenient: OnceLock<ByForm>,
    loose: OnceLock<ByForm>,
}

#[derive(Debug, Clone, Default)]
struct ByForm {
    names: FxHashMap<Box<str>, Fit>,
    /// The first of the names that share a form.
    shared: Vec<Vec<u32>>,
}

/// The names that have a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    One(u32, Spelling),
    /// Several: the index of the first of them.
    Several(u32),
}

impl ByForm {
    /// Adds a form of a name.
    fn add(&mut self, form: String, name: u32, spelling: Spelling) {
        if form.is_empty() {
            return;
        }
        let fit = self.names.entry(form.into()).or_insert(Fit::One(name, spelling));
        match *fit {
            Fit::One(known, as_known) if known == name => {
                *fit = Fit::One(name, spelling.min(as_known));
            }
            Fit::One(known, _) => {
                *fit = Fit::Several(self.shared.len() as u32);
                self.shared.push(vec![known, name]);
            }
            Fit::Several(at) => {
                let names = &mut self.shared[at as usize];
                if names.len() < MOST_NAMES && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }

    /// The forms of all names that distinguish nothing but what does not look alike.
    fn lenient<'n>(names: impl Iterator<Item = (&'n str, u32)>) -> ByForm {
        let mut forms = ByForm::default();
        for (name, number) in names {
            forms.add(lenient(name), number, Spelling::Folded);
        }
        forms
    }

    /// The forms of all names and of their front faces without accents and marks.
    fn loose<'n>(names: impl Iterator<Item = (&'n str, u32)>) -> ByForm {
        let mut forms = ByForm::default();
        for (name, number) in names {
            for form in loose(name) {
                forms.add(form, number, Spelling::Loose);
            }
            if let Some((front, _)) = name.split_once("//") {
                for form in loose(front) {
                    forms.add(form, number, Spelling::FrontFace);
                }
            }
        }
        forms
    }
}

/// The forms of a name, or of a part of one, in which parts are looked for.
#[derive(Debug, Clone)]
pub(super) struct PartForms {
    /// Without accents.
    plain: Box<str>,
    /// The loose forms, each between a blank and a line break, which no name has.
    loose: Box<str>,
}

impl PartForms {
    fn of(name: &str) -> PartForms {
        let lenient = lenient(name);
        let plain = without_accents(&lenient);
        let forms = loose_of(lenient).into_iter().filter(|form| !form.is_empty());
        // Faces are words of their own.
        let loose: String =
            forms.map(|form| format!(" {}\n", form.replace("//", " // "))).collect();
        PartForms { plain: plain.into(), loose: loose.into() }
    }

    /// The forms of a folded name; `None`: they are all the name itself.
    fn of_name(folded: &str) -> Option<Box<PartForms>> {
        let is_plain = !may_differ(folded) && !folded.contains(['\'', '/', '-']);
        (!is_plain).then(|| Box::new(PartForms::of(folded)))
    }

    /// Whether a folded name, which has these forms, has a part.
    fn have(forms: Option<&PartForms>, folded: &str, part: &PartForms) -> bool {
        let plain = forms.map_or(folded, |forms| &forms.plain);
        if !part.plain.is_empty() && plain.contains(&*part.plain) {
            return true;
        }
        part.loose.lines().any(|form| match forms {
            Some(forms) => forms.loose.contains(form),
            None => folded.starts_with(&form[1..]) || folded.contains(form),
        })
    }
}

/// The name or names that a text fits.
enum Fits {
    One(u32, Spelling),
    Several(Vec<u32>),
    None,
}

impl Forms {
    /// The name that is spelt otherwise; `names` are all, folded, with their numbers.
    #[cold]
    fn find<'n, I: Iterator<Item = (&'n str, u32)>>(
        &self,
        text: &str,
        names: impl Fn() -> I,
        exactly: bool,
    ) -> Fits {
        let by_form = self.lenient.get_or_init(|| ByForm::lenient(names()));
        if let Some(Fit::One(name, spelling)) = by_form.names.get(&*lenient(text)) {
            return Fits::One(*name, *spelling);
        }
        if exactly {
            return Fits::None;
        }
        let by_form = self.loose.get_or_init(|| ByForm::loose(names()));
        let mut found = Fits::None;
        for form in loose(text) {
            let Some(fit) = by_form.names.get(&*form) else {
                continue;
            };
            found = match (found, *fit) {
                (Fits::None, Fit::One(name, spelling)) => Fits::One(name, spelling),
                (Fits::One(known, as_known), Fit::One(name, spelling)) if known == name => {
                    Fits::One(name, spelling.min(as_known))
                }
                (Fits::One(known, _), Fit::One(name, _)) => Fits::Several(vec![known, name]),
                (Fits::Several(names), _) => Fits::Several(names),
                (_, Fit::Several(at)) => Fits::Several(by_form.shared[at as usize].clone()),
            };
        }
        found
    }
}

impl Pool {
    /// What a name means, however it is written: a card, or by a field, all cards of one title.
    ///
    /// Names are the same that have one [fold], failing that one [lenient fold](lenient()),
    /// and failing that no other difference than accents, apostrophes, hyphens and blanks around
    /// slashes; the front of `A // B` alone is that card too. Each counts only where one name
    /// fits.
    ///
    /// ```
    /// use decklaw_cards::pool::{Lookup, NameField, Pool, Spelling};
    /// let pool = Pool::of_names(["Mara's Blade", "Frost // Thaw", "Mar\u{e9}", "Mar\u{e8}"]);
    /// let found = |name| pool.look_up(name, NameField::Name);
    /// assert_eq!(found("MARA\u{2019}S  blade").spelling(), Some(Spelling::Folded));
    /// assert_eq!(found("Frost/Thaw").spelling(), Some(Spelling::Loose));
    /// assert_eq!(found("frost").spelling(), Some(Spelling::FrontFace));
    /// assert_eq!(found("Mare"), Lookup::Several(vec!["Mar\u{e8}", "Mar\u{e9}"]));
    /// assert_eq!(found("Thaw"), Lookup::Unknown);
    /// ```
    pub fn look_up(&self, name: &str, by: NameField<'_>) -> Lookup<'_> {
        match by {
            NameField::Name => match self.identified(name) {
                Some(card) => Lookup::Card { card, spelling: Spelling::Folded },
                None => self.otherwise(name),
            },
            NameField::Title(field) => self.titles(field).look_up(name),
        }
    }

    /// Whether a text is the name of a card, written as names are: the reader of pasted lists asks
    /// it while it takes marks off.
    pub fn has_name(&self, text: &str) -> bool {
        self.identified(text).is_some()
            || matches!(self.forms.find(text, || self.names(), true), Fits::One(..))
    }

    /// The card of a name that is spelt otherwise.
    #[cold]
    fn otherwise(&self, name: &str) -> Lookup<'_> {
        match self.forms.find(name, || self.names(), false) {
            Fits::One(card, spelling) => Lookup::Card { card: CardId(card), spelling },
            Fits::Several(cards) => {
                Lookup::Several(cards.into_iter().map(|card| self.name(CardId(card))).collect())
            }
            Fits::None => Lookup::Unknown,
        }
    }

    /// The names and aliases, folded, with their cards.
    fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        let names = self.ids().map(|card| (self.folded(card), card.0));
        names.chain(self.aliases.iter().map(|(alias, card)| (&**alias, card.0)))
    }

    /// The card of a name by its fold.
    pub(super) fn identified(&self, name: &str) -> Option<CardId> {
        if let Some(card) = self.by_spelling(name) {
            return Some(card);
        }
        let folded = fold(name);
        if let Some(card) = self.by_spelling(&folded) {
            return Some(card);
        }
        self.of_folded(&folded)
    }

    /// The card of a folded name.
    fn of_folded(&self, folded: &str) -> Option<CardId> {
        let found = self.cards.binary_search_by(|card| (*card.folded).cmp(folded));
        u32::try_from(found.ok()?).ok().map(CardId)
    }

    /// The card of a spelling that is found at once.
    fn by_spelling(&self, spelling: &str) -> Option<CardId> {
        let is_it = |card: &&CardId| {
            let card = &self.cards[card.index()];
            *card.name == *spelling || *card.folded == *spelling
        };
        let found = self.quick.get(&FxBuildHasher.hash_one(spelling));
        let found = found.filter(is_it).or_else(|| self.aliases.get(spelling));
        found.copied()
    }

    /// The titles that cards have in a field.
    pub fn titles_of(&self, field: &str) -> &[Title] {
        &self.titles(field).all
    }

    fn titles(&self, field: &str) -> &Titles {
        // Beyond the fields: of one that no card has, by which each goes by its name.
        let at = self.place(field).unwrap_or(self.fields.len());
        self.titles[at].get_or_init(|| Titles::of(self, field))
    }

    /// The names nearest to one that is none, and whether the first of them is certainly the one
    /// that was meant. Marks around the name are no part of it: `Mos Sprite (ABC) 12` is near to
    /// `Moss Sprite`.
    ///
    /// ```
    /// use decklaw_cards::pool::{NameField, Pool};
    /// let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
    /// let near = pool.near("Mos Sprite (ABC) 12", NameField::Name);
    /// assert_eq!((near.name, near.names, near.is_certain), ("Mos Sprite", vec!["Moss Sprite"], true));
    /// ```
    pub fn near<'n>(&self, name: &'n str, by: NameField<'_>) -> Near<'_, 'n> {
        if let Lookup::Several(names) = self.look_up(name, by) {
            return Near { names, name, is_certain: false };
        }
        let whole = self.near_whole(name, by);
        if whole.is_certain {
            return whole;
        }
        let mut found = None;
        for bare in marks::bare_names(name) {
            let near = self.near_whole(bare, by);
            if near.is_certain {
                return near;
            }
            found = found.or(Some(near).filter(|near| !near.names.is_empty()));
        }
        found.unwrap_or(whole)
    }

    /// Whether a whole text is certainly a name with a slip in it.
    pub fn is_slip(&self, text: &str) -> bool {
        self.near_whole(text, NameField::Name).is_certain
    }

    fn near_whole<'n>(&self, name: &'n str, by: NameField<'_>) -> Near<'_, 'n> {
        let folded = fold(name);
        let near: Vec<(&str, &str)> = match by {
            NameField::Name => {
                let letters = || Names::of(self.cards.iter().map(|card| &*card.folded));
                let letters = self.letters.get_or_init(letters);
                let near = letters.nearest(&folded, |at| &*self.cards[at].folded);
                let shown = |near| self.of_folded(near).map_or(near, |card| self.name(card));
                near.into_iter().map(|near| (near, shown(near))).collect()
            }
            NameField::Title(field) => {
                let titles = self.titles(field);
                let near = name::nearest(&folded, titles.folded.keys().map(|known| &**known));
                let shown = |near: &str| &*titles.all[titles.folded[near] as usize].name;
                near.into_iter().map(|near| (near, shown(near))).collect()
            }
        };
        let (near, names): (Vec<&str>, Vec<&str>) = near.into_iter().unzip();
        Near { is_certain: name::is_slip(&folded, &near), names, name }
    }

    /// Whether the name of a card has a part, whatever the case, accents and marks of both. Where
    /// it takes a hyphen or an apostrophe left out, the part begins a word: `duls` is a part of
    /// `Mur-D\u{fb}l's Vault`, and `fog` none of `Half-Ogre`. Each card of a pool is asked, so the
    /// part is made ready once.
    pub(crate) fn names_with<'s>(&'s self, part: &str) -> impl Fn(CardId) -> bool + use<'s> {
        let (own, part) = (fold(part).into_owned(), PartForms::of(part));
        let forms = || self.ids().map(|card| PartForms::of_name(self.folded(card))).collect();
        let forms: &[_] = self.parts.get_or_init(forms);
        move |card| {
            let (folded, forms) = (self.folded(card), &forms[card.index()]);
            folded.contains(&own) || PartForms::have(forms.as_deref(), folded, &part)
        }
    }

    /// Cards whose names are distinguished by nothing but marks that look alike: those of each
    /// lenient fold that several cards have, in canonical order.
    ///
    /// ```
    /// let pool = decklaw_cards::pool::Pool::of_names(["Mara's", "Mara\u{2019}s", "Moss"]);
    /// assert_eq!(pool.lookalikes().len(), 1);
    /// ```
    pub fn lookalikes(&self) -> Vec<Vec<CardId>> {
        // Of two names that differ and look alike, one is not plain; plain ones look like
        // themselves.
        let plain = |id: CardId| !may_differ(self.folded(id));
        let mut alike: FxHashMap<String, Vec<CardId>> = FxHashMap::default();
        for id in self.ids().filter(|id| !plain(*id)) {
            alike.entry(lenient(self.folded(id))).or_default().push(id);
        }
        for (form, ids) in &mut alike {
            let own = self.of_folded(form).filter(|id| plain(*id));
            ids.extend(own);
            ids.sort_unstable();
        }
        let mut alike: Vec<Vec<CardId>> = alike.into_values().filter(|ids| ids.len() > 1).collect();
        alike.sort_unstable();
        alike
    }
}

impl Titles {
    fn of(pool: &Pool, field: &str) -> Titles {
        let column = pool.column(field);
        let mut titles =
            Titles { is_number: matches!(column, Some(Column::Number(_))), ..Titles::default() };
        for card in pool.ids() {
            if let Some(number) = pool.number(card, field) {
                titles.add(&number.to_string(), card);
                continue;
            }
            match pool.words(card, field) {
                [] => titles.add(pool.name(card), card),
                words => words.iter().for_each(|word| titles.add(pool.written(field, word), card)),
            }
        }
        titles
    }

    fn add(&mut self, name: &str, card: CardId) {
        let number = *self.folded.entry(fold(name).into()).or_insert_with(|| {
            let number = self.all.len() as u32;
            self.all.push(Title { number, name: name.into(), cards: Vec::new() });
            number
        });
        let cards = &mut self.all[number as usize].cards;
        if cards.last() != Some(&card) {
            cards.push(card);
        }
    }

    fn look_up(&self, name: &str) -> Lookup<'_> {
        let title = |number: u32| &self.all[number as usize];
        if let Some(number) = self.folded.get(&*fold(name)) {
            return Lookup::Title { title: title(*number), spelling: Spelling::Folded };
        }
        if self.is_number {
            return Lookup::Unknown;
        }
        let names = || self.all.iter().map(|title| (&*title.name, title.number));
        match self.forms.find(name, names, false) {
            Fits::One(number, spelling) => Lookup::Title { title: title(number), spelling },
            Fits::Several(numbers) => {
                Lookup::Several(numbers.into_iter().map(|number| &*title(number).name).collect())
            }
            Fits::None => Lookup::Unknown,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
