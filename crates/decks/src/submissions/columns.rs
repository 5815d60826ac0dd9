//! Which column of a form's export is what.

use super::SubmissionError;
use super::headings::{Heading, Role, name_in_two};
use decklaw_text::name::fold;
use decklaw_text::text::listed;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A column whose cells are a deck, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeckColumn {
    /// The section that its cells fill; `None`: they say it themselves.
    pub section: Option<String>,
    /// Which column it is, from 0.
    pub at: usize,
}

/// A column that distinguishes players of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// Which column it is, from 0.
    pub at: usize,
    /// Whether a person said so; otherwise it was found by its name, and a cell such as
    /// `anonymous` is nobody's.
    pub is_named: bool,
}

impl Identity {
    /// Who a cell says it is; `None`: it does not say. White space and case do not matter.
    pub(super) fn of(self, cell: &str) -> Option<&str> {
        let says = |next: char| {
            // Numbers of members have digits and addresses an `@`; `anonymous` has neither.
            next.is_ascii_digit() || next == '@' || (self.is_named && next.is_alphanumeric())
        };
        Some(cell).filter(|cell| cell.contains(says))
    }
}

/// A column that looks like a part of the deck, and that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadColumn {
    /// Its header.
    pub name: String,
    /// What `--columns` says to read it with the deck.
    columns: String,
}

impl fmt::Display for UnreadColumn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "the column `{}` looks like a part of the deck and was not read; join it with `--columns {}`",
            self.name, self.columns
        )
    }
}

/// Where the columns of a table are, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// Who hands the deck in; a table without it has a player a row.
    pub player: Option<usize>,
    /// The family name, where `player` is the given one alone.
    pub family: Option<usize>,
    /// The column that distinguishes players of the same name.
    pub identity: Option<Identity>,
    /// The deck: one column, or several that are joined.
    pub deck: Vec<DeckColumn>,
    /// Columns that are called as a section is, and that nothing is read from.
    unread: Vec<DeckColumn>,
    /// When the deck was submitted.
    pub time: Option<usize>,
    /// Which format it is for.
    pub format: Option<usize>,
    /// The header, without the names of columns that have nothing in any row and that nobody named.
    pub header: Vec<String>,
    /// Columns that are carried along, and what outputs call them.
    pub(super) carried: Vec<(usize, String)>,
}

impl Columns {
    /// The columns of a header: those that `named` says (such as `player=Name,deck=Decklist`),
    /// the others by their plain names. White space and case do not matter. A comma belongs to
    /// a column's name unless a further `ROLE=` follows it; quotation marks hold all else.
    /// `deck.main=…,deck.side=…` name the columns of a deck in parts; `id=` alone says that nothing
    /// but names distinguishes players. Where no column is the whole deck, those that are called as
    /// a section is, or that ask for one (`Your side deck?`), are its parts: `is_section` is asked
    /// of their names. Columns that are `silent` have nothing in any row, and are found by name only.
    ///
    /// # Errors
    /// A word that is none of `player`, `id`, `deck`, `time` and `format`, a role that is named
    /// twice, a column that the header does not have or has twice, two columns that are plainly
    /// the same, or no column for the deck.
    ///
    /// ```
    /// use decklaw_decks::submissions::Columns;
    /// let header = ["What is your name?", "Main deck (a card a line)"].map(String::from);
    /// let columns = Columns::of(&header, &Default::default(), &[], |word| word == "main deck")?;
    /// assert_eq!((columns.player, columns.deck[0].at), (Some(0), 1));
    /// assert_eq!(columns.deck[0].section.as_deref(), Some("main deck"));
    /// # Ok::<(), decklaw_decks::submissions::SubmissionError>(())
    /// ```
    pub fn of(
        header: &[String],
        silent: &BTreeSet<usize>,
        named: &[String],
        is_section: impl Fn(&str) -> bool,
    ) -> Result<Columns, SubmissionError> {
        let said = |(at, name): (usize, &String)| match silent.contains(&at) {
            true => Heading::of(""),
            false => Heading::of(name),
        };
        let headings: Vec<Heading> = header.iter().enumerate().map(said).collect();
        if named.is_empty() && header.iter().any(|cell| is_deck_of_a_row(cell)) {
            return Err(SubmissionError::no_header());
        }
        let NamedColumns { roles, mut found, mut deck } = NamedColumns::read(header, named)?;
        let mut taken: BTreeSet<usize> = found.values().copied().collect();
        taken.extend(deck.iter().map(|part| part.at));
        let section_of = |heading: &Heading| -> Option<String> {
            let mut words = [&heading.folded, &heading.subject].into_iter();
            words.find(|word| is_section(word)).cloned()
        };
        let mut family = None;
        for role in Role::ALL {
            if roles.contains(&role) {
                continue;
            }
            if role == Role::Player
                && let Some((given, last)) = name_in_two(&headings, &taken)
            {
                found.insert(role, given);
                taken.extend([given, last]);
                family = Some(last);
                continue;
            }
            let score = |at: usize| match headings[at].score(role) {
                // `Main deck` asks for a part of the deck, not for a deck.
                1 if role == Role::Deck && section_of(&headings[at]).is_some() => 0,
                score => score,
            };
            let free = (0..header.len()).filter(|at| !taken.contains(at));
            let scores: Vec<(usize, u8)> = free.map(|at| (at, score(at))).collect();
            let best = scores.iter().map(|(_, score)| *score).max().unwrap_or(0);
            let mut places = scores.into_iter().filter(|(_, score)| *score == best);
            let Some((place, _)) = places.next().filter(|_| best > 0) else {
                continue;
            };
            let mut names = vec![header[place].clone()];
            names.extend(places.map(|(at, _)| header[at].clone()));
            if names.len() > 1 {
                let (role, columns) = (role.word(), quoted(&names));
                return Err(SubmissionError::new(
                    format!("the columns {columns} may each be the {role}"),
                    format!("name the column with `--columns {role}=COLUMN`"),
                ));
            }
            found.insert(role, place);
            taken.insert(place);
        }
        if deck.is_empty() && !found.contains_key(&Role::Deck) {
            let free = (0..header.len()).filter(|at| !taken.contains(at));
            deck.extend(free.filter_map(|at| {
                let section = Some(section_of(&headings[at])?);
                Some(DeckColumn { section, at })
            }));
            // Which of two is the section's would be a guess.
            let sections: BTreeSet<_> = deck.iter().map(|part| &part.section).collect();
            if sections.len() < deck.len() {
                deck.clear();
            }
        }
        let [player, identity, whole, time, format] =
            Role::ALL.map(|role| found.get(&role).copied());
        deck.extend(whole.map(|at| DeckColumn { section: None, at }));
        if deck.is_empty() {
            let named = header.iter().filter(|name| !name.is_empty()).count();
            let known = quoted(header);
            return Err(match (named, header.len()) {
                (0 | 1, 2..) => SubmissionError::new(
                    format!(
                        "the first row should name the columns, and says only {known}; take out the rows above the one that names them"
                    ),
                    "",
                ),
                (_, 1) => SubmissionError {
                    lacks_deck: true,
                    ..SubmissionError::new(
                        format!("it has one column only, {known}"),
                        "a form has a column of players and one of decks; decks alone come as a folder, one file each",
                    )
                },
                _ => SubmissionError {
                    lacks_deck: true,
                    ..SubmissionError::new(
                        format!(
                            "it is not clear which column holds the decks; the header has {known}"
                        ),
                        "name the column with `--columns deck=COLUMN`; if the first row is a player's, put a line such as `player,deck` above it",
                    )
                },
            });
        }
        // What says its sections itself goes first, as its headers must.
        deck.sort_by_key(|part| part.section.is_some());
        // Where nothing says a name, people go by their addresses.
        let player = player.or(identity);
        let identity = identity.filter(|at| Some(*at) != player);
        let mut columns = Columns {
            player,
            family,
            identity: identity.map(|at| Identity { at, is_named: roles.contains(&Role::Identity) }),
            deck,
            unread: Vec::new(),
            time,
            format,
            header: header.to_vec(),
            carried: Vec::new(),
        };
        let read = columns.read();
        let others = || (0..header.len()).filter(|at| !read.contains(at));
        let part = |at: usize| Some(DeckColumn { section: Some(section_of(&headings[at])?), at });
        columns.unread.extend(others().filter_map(part));
        others().filter(|at| silent.contains(at)).for_each(|at| columns.header[at].clear());
        Ok(columns)
    }

    /// The columns that look like a part of the deck and are not read: those that are called as a
    /// section is, and those whose cells do, which `looks` says of a column's place.
    pub fn unread(&self, looks: impl Fn(usize) -> bool) -> Vec<UnreadColumn> {
        let read = self.read();
        let others = (0..self.header.len()).filter(|at| !read.contains(at));
        let parts = others.filter_map(|at| match self.unread.iter().find(|part| part.at == at) {
            Some(part) => Some(part.clone()),
            None => looks(at).then_some(DeckColumn { section: None, at }),
        });
        let assigned = |part: &DeckColumn, other: &str| {
            let section = part.section.as_deref().unwrap_or(other);
            let (dot, name) = (if section.is_empty() { "" } else { "." }, &self.header[part.at]);
            let is_only = self.header.iter().filter(|own| *own == name).count() == 1;
            let column = if is_only { name.trim().to_owned() } else { (part.at + 1).to_string() };
            format!("deck{dot}{section}={column}")
        };
        let unread = parts.map(|part| {
            let mut all: Vec<String> = self.deck.iter().map(|own| assigned(own, "")).collect();
            all.push(assigned(&part, "SECTION"));
            let all = all.join(",");
            let is_word = !all.contains(char::is_whitespace);
            UnreadColumn {
                name: self.header[part.at].clone(),
                columns: if is_word { all } else { format!("\"{all}\"") },
            }
        });
        unread.collect()
    }

    /// The columns of a list of people; `None`: it is not clear which one holds the players.
    pub fn people(header: &[String]) -> Option<PeopleColumns> {
        let headings: Vec<Heading> = header.iter().map(|name| Heading::of(name)).collect();
        let first = |role| {
            let with = |wanted| headings.iter().position(|heading| heading.score(role) == wanted);
            with(3).or_else(|| with(2))
        };
        let names = match name_in_two(&headings, &BTreeSet::new()) {
            Some((given, family)) => vec![given, family],
            None => vec![first(Role::Player)?],
        };
        Some(PeopleColumns {
            identity: first(Role::Identity).filter(|at| !names.contains(at)),
            table: headings.iter().position(|heading| heading.is_in("table.plain")),
            names,
        })
    }

    /// The column that a person names for a role, of a list of people: `player=Name,table=Seat`.
    ///
    /// # Errors
    /// A column that the header does not have or has twice.
    pub fn chosen(
        header: &[String],
        named: &[String],
        role: &str,
    ) -> Result<Option<usize>, SubmissionError> {
        let pairs: Vec<String> = named.iter().flat_map(|named| pairs(named)).collect();
        let of_role = |pair: &String| {
            let (own, name) = pair.split_once('=')?;
            (own.trim() == role && !name.trim().is_empty()).then(|| only(header, name.trim()))
        };
        pairs.iter().find_map(of_role).transpose()
    }

    /// The same, with the cells of all columns that are neither the deck's nor say who and when.
    /// Their names are all different; one without a name has its number.
    #[must_use]
    pub fn carrying(mut self) -> Columns {
        let kept = [self.player, self.family, self.identity.map(|one| one.at), self.time];
        let mut taken = BTreeSet::new();
        for (at, name) in self.header.iter().enumerate() {
            if kept.contains(&Some(at)) || self.deck.iter().any(|part| part.at == at) {
                continue;
            }
            let name = match name.trim() {
                "" => format!("column {}", at + 1),
                name => name.to_owned(),
            };
            let numbered = (2..).map(|number| format!("{name} ({number})"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            let name = names.find(|name| !taken.contains(name)).unwrap_or(name);
            taken.insert(name.clone());
            self.carried.push((at, name));
        }
        self
    }

    /// Which columns are read as what, for people: `player ← "Name", deck ← "Decklist"`.
    pub fn in_words(&self) -> String {
        let column = |at: usize| format!("\u{2190} \"{}\"", self.header[at].trim());
        let mut parts: Vec<String> = Vec::new();
        let identity = self.identity.map(|identity| identity.at);
        let family = |at: usize| format!(" and \"{}\"", self.header[at].trim());
        let family = self.family.map_or_else(String::new, family);
        parts.extend(self.player.map(|at| format!("player {}{family}", column(at))));
        parts.extend(identity.map(|at| format!("id {}", column(at))));
        for DeckColumn { section, at } in &self.deck {
            let section = section.as_ref().map_or(String::new(), |id| format!(".{id}"));
            parts.push(format!("deck{section} {}", column(*at)));
        }
        for (role, at) in [("time", self.time), ("format", self.format)] {
            parts.extend(at.map(|at| format!("{role} {}", column(at))));
        }
        parts.join(", ")
    }

    /// Whether the deck is in several columns, or in one that fills a section.
    pub fn joins(&self) -> bool {
        self.deck.iter().any(|part| part.section.is_some())
    }

    /// The columns that have a name, and that nothing is read from or carried along.
    pub fn passed_over(&self) -> Vec<&str> {
        let read = self.read();
        let unused = (0..self.header.len()).filter(|at| !read.contains(at));
        let names = unused.map(|at| self.header[at].as_str());
        names.filter(|name| !name.is_empty()).collect()
    }

    /// What a row says of its player: the name, of its parts where it has two.
    pub(super) fn name_of<'c>(
        &self,
        cell: impl Fn(Option<usize>) -> Option<&'c str>,
    ) -> Option<Cow<'c, str>> {
        match (cell(self.player), cell(self.family)) {
            (Some(given), Some(family)) => Some(Cow::Owned(format!("{given} {family}"))),
            (one, other) => one.or(other).map(Cow::Borrowed),
        }
    }

    /// The places of all columns that a role is read from.
    pub fn read(&self) -> Vec<usize> {
        let parts = self.deck.iter().map(|part| part.at);
        let identity = self.identity.map(|identity| identity.at);
        let others = [self.player, self.family, identity, self.time, self.format];
        let others = others.into_iter().flatten();
        parts.chain(others).collect()
    }
}

/// The columns of a list of people, from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeopleColumns {
    /// The player's name, or the given and the family name.
    pub names: Vec<usize>,
    /// What distinguishes players of the same name.
    pub identity: Option<usize>,
    /// Where the player sits.
    pub table: Option<usize>,
}

/// The columns that a person names.
#[derive(Debug, Default)]
struct NamedColumns {
    /// The roles that are named. `id=` names one without a column.
    roles: BTreeSet<Role>,
    found: BTreeMap<Role, usize>,
    deck: Vec<DeckColumn>,
}

impl NamedColumns {
    fn read(header: &[String], named: &[String]) -> Result<NamedColumns, SubmissionError> {
        let mut read = NamedColumns::default();
        for pair in named.iter().flat_map(|named| pairs(named)) {
            let Some((role, name)) = pair.split_once('=') else {
                let message = format!("`{pair}` must be `player=COLUMN` or the like");
                return Err(SubmissionError::new(message, ""));
            };
            let (said, name) = (role.trim(), name.trim());
            let (word, section) = match said.split_once('.') {
                Some((word, section)) => (word.trim_end(), Some(section.trim_start())),
                None => (said, None),
            };
            let fits = |role: &Role| {
                role.word() == word
                    && section.is_none_or(|id| *role == Role::Deck && !id.is_empty())
            };
            let Some(role) = Role::ALL.into_iter().find(fits) else {
                let known = listed(&Role::ALL.map(Role::word), "and");
                let message = format!(
                    "no role `{said}`; there are {known}, and `deck.SECTION` for a deck in several columns"
                );
                return Err(SubmissionError::new(message, ""));
            };
            let is_new = read.roles.insert(role);
            let is_twice = match role {
                Role::Deck => read.deck.iter().any(|part| part.section.as_deref() == section),
                _ => !is_new,
            };
            if is_twice {
                let message = format!("`{said}=` is given twice; name one column for it");
                return Err(SubmissionError::new(message, ""));
            }
            if role == Role::Identity && name.is_empty() {
                continue;
            }
            let at = only(header, name)?;
            if role == Role::Deck {
                let section = section.map(str::to_owned);
                read.deck.push(DeckColumn { section, at });
            } else {
                read.found.insert(role, at);
            }
        }
        Ok(read)
    }
}

/// Whether a cell of a header is a row's deck, so that the table has no header. A question may show
/// an example below its first line.
fn is_deck_of_a_row(cell: &str) -> bool {
    let first = cell.trim_start().lines().next().unwrap_or_default();
    looks_like_a_deck(cell) && Heading::of(first).score(Role::Deck) == 0
}

/// Whether most lines of a cell, and more than one, are a number and something behind it.
pub fn looks_like_a_deck(cell: &str) -> bool {
    let card = |line: &&str| {
        let rest = line.trim_start_matches(|next: char| next.is_ascii_digit());
        let digits = line.len() - rest.len();
        let rest = rest.strip_prefix(['x', 'X', '\u{d7}']).unwrap_or(rest);
        let name = rest.trim_start();
        (1..=3).contains(&digits)
            && name.len() < rest.len()
            && name.starts_with(char::is_alphabetic)
    };
    let lines = || cell.lines().map(str::trim).filter(|line| !line.is_empty());
    let cards = lines().filter(card).count();
    cards > 1 && cards * 2 >= lines().count()
}

/// Returns the one column of a name, of a number from 1, or of a part that one header alone has.
fn only(header: &[String], name: &str) -> Result<usize, SubmissionError> {
    let wanted = fold(name);
    let places = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..header.len()).filter(|at| fits(&fold(&header[*at]))).collect()
    };
    let refused = |message: String| Err(SubmissionError::new(message, ""));
    match places(&|cell| cell == wanted).as_slice() {
        [place] => return Ok(*place),
        [] => {}
        _ => return refused(format!("the header has the column `{name}` twice")),
    }
    if let Ok(number) = name.parse::<usize>() {
        let place = number.checked_sub(1).filter(|at| *at < header.len());
        let columns = header.len();
        return place
            .map_or_else(|| refused(format!("no column {number}; the header has {columns}")), Ok);
    }
    match places(&|cell| !wanted.is_empty() && cell.contains(&*wanted)).as_slice() {
        [place] => Ok(*place),
        [] => refused(format!("no column `{name}`; the header has {}", quoted(header))),
        several => {
            let several: Vec<String> = several.iter().map(|at| header[*at].clone()).collect();
            refused(format!("`{name}` is part of the columns {}", quoted(&several)))
        }
    }
}

fn quoted(names: &[String]) -> String {
    let names = names.iter().filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    listed(&names, "and")
}

/// The words that commas part in what a person says; quotation marks hold a comma.
fn words(said: &str) -> Vec<String> {
    // A new line in a column's name is white space, as any other.
    let said = said.replace(['\n', '\r'], " ");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(said.as_bytes());
    let mut cells = csv::StringRecord::new();
    // Text in memory can always be read; what is left out is then a column that is missing.
    let _ = reader.read_record(&mut cells);
    cells.iter().map(str::to_owned).collect()
}

/// The parts `ROLE=COLUMN` of what a person says.
fn pairs(named: &str) -> Vec<String> {
    let mut pairs: Vec<String> = Vec::new();
    for cell in words(named) {
        match pairs.last_mut() {
            Some(last) if !cell.contains('=') => {
                last.push_str(", ");
                last.push_str(&cell);
            }
            _ => pairs.push(cell),
        }
    }
    pairs
}
