//! What a game's folder says for pages and paper: how a card looks (`face`) and the layout of a
//! table (`mat`). No rule, deck or deal depends on them.

use super::lint::Lint;
use super::{Format, Game};
use decklaw_cards::pool::{FieldKind, Pool};
use decklaw_text::text::Span;
use decklaw_text::yaml::{Problem, Spanned, read};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The folder of a game that holds the pictures of its cards.
pub const PICTURES: &str = "pictures";

/// How a card looks: which field is where, and in which colours.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaceEntry {
    /// The field at the top [default: `name`].
    #[serde(default = "name_field")]
    pub title: Spanned<String>,
    /// The field in the badge next to the title.
    #[serde(default)]
    pub cost: Option<Spanned<String>>,
    /// The colour of the frame.
    #[serde(default)]
    pub colour: Option<ColourEntry>,
    /// The parts of the type line: fields in braces, such as `{colour} {type}`.
    #[serde(default, rename = "type")]
    pub kind: Vec<Spanned<String>>,
    /// The paragraphs: a field each, or a text with fields in braces.
    #[serde(default)]
    pub text: Vec<Spanned<String>>,
    /// The numbers along the bottom: a label and its field each, as `- {Life: life}`.
    #[serde(default)]
    pub numbers: Vec<BTreeMap<String, Spanned<String>>>,
    /// The field whose words are dots in their colours.
    #[serde(default)]
    pub pips: Option<Spanned<String>>,
    /// The fields at the sides of the picture: top, right, bottom, left.
    #[serde(default)]
    pub edges: Option<[Spanned<String>; 4]>,
    /// The maker's picture of a card, such as `pictures/{name}.webp`; a file that is called like
    /// its card needs no mention.
    #[serde(default)]
    pub picture: Option<Spanned<String>>,
    /// What is drawn where there is no picture: the motifs of the first line whose query picks the
    /// card. Of several motifs the card's name picks one.
    #[serde(default)]
    pub art: Vec<Spanned<ArtEntry>>,
    /// The motif in front of it, in the same way, such as what the card does [default: none].
    #[serde(default)]
    pub sign: Vec<Spanned<ArtEntry>>,
    /// The time of day, in the same way: `dawn`, `day`, `dusk` or `night` [default: the card's name
    /// picks one].
    #[serde(default)]
    pub hour: Vec<Spanned<ArtEntry>>,
    /// How words are written on a card, by field: word to text [default: with a capital].
    #[serde(default)]
    pub words: BTreeMap<String, BTreeMap<String, String>>,
}

fn name_field() -> Spanned<String> {
    Spanned { value: "name".to_owned(), span: Span::default() }
}

/// The colour of a card.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColourEntry {
    /// The field that decides.
    pub by: Spanned<String>,
    /// The colour of each word, as `"#c8402f"`.
    pub of: BTreeMap<String, Spanned<String>>,
    /// The colour of all others [default: grey].
    #[serde(default = "grey")]
    pub otherwise: Spanned<String>,
}

impl ColourEntry {
    /// The colours of cards whose game gives none: a colour for each value of the first word that
    /// has a few.
    pub fn plain(pool: &Pool) -> Option<ColourEntry> {
        const COLOURS: [&str; 10] = [
            "#c8402f", "#2f6fb8", "#2f8f4e", "#8a4fb0", "#b07a1e", "#2a8c8c", "#b0447a", "#5f6f2a",
            "#4a55a8", "#8c5a3a",
        ];
        let spanned = |value: &str| Spanned { value: value.to_owned(), span: Span::default() };
        let words =
            pool.fields().iter().filter(|field| matches!(field.kind, FieldKind::Word { .. }));
        let mut colours = words.filter_map(|field| {
            let mut values: BTreeSet<&str> = BTreeSet::new();
            for card in pool.ids() {
                values.extend(pool.words(card, &field.name).iter().map(|word| &**word));
                if values.len() > COLOURS.len() {
                    return None;
                }
            }
            let each = values.iter().zip(COLOURS);
            let of = each.map(|(word, colour)| ((*word).to_owned(), spanned(colour)));
            let by = spanned(&field.name);
            (values.len() > 1).then(|| ColourEntry { by, of: of.collect(), otherwise: grey() })
        });
        colours.next()
    }
}

/// The colour of a card whose game gives none.
pub const GREY: &str = "#5b6472";

fn grey() -> Spanned<String> {
    Spanned { value: GREY.to_owned(), span: Span::default() }
}

/// Motifs and the cards that have one of them.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArtEntry {
    /// A card query [default: every card].
    #[serde(default)]
    pub of: Option<Spanned<String>>,
    /// The motif, or several; an empty list is none.
    pub is: Names,
}

/// A name, or a list of names.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Names {
    /// One.
    One(String),
    /// Any number.
    Several(Vec<String>),
}

impl Names {
    /// Each of them.
    pub fn all(&self) -> &[String] {
        match self {
            Names::One(name) => std::slice::from_ref(name),
            Names::Several(names) => names,
        }
    }
}

/// The layout of a table.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatEntry {
    /// On a wide screen.
    pub wide: LayoutEntry,
    /// On a phone [default: as on a wide screen].
    #[serde(default)]
    pub phone: Option<LayoutEntry>,
    /// How zones are shown, by id.
    #[serde(default)]
    pub zones: BTreeMap<String, ZoneLook>,
    /// What counters are called, by id [default: their ids in words].
    #[serde(default)]
    pub counters: BTreeMap<String, String>,
    /// The steps of a turn, in order.
    #[serde(default)]
    pub steps: Vec<Spanned<String>>,
}

/// Rows and columns of zones. A zone that is in several cells fills them; `.` is an empty one.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LayoutEntry {
    /// How wide the columns are, compared with each other.
    pub columns: Vec<f64>,
    /// The zones before a seat, row by row, such as `hero weapons weapons deck`.
    pub rows: Vec<Spanned<String>>,
    /// The same of the other side [default: as one's own].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub theirs: Vec<Spanned<String>>,
    /// The zones in the middle, row by row, in columns of one width.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub middle: Vec<Spanned<String>>,
}

/// How a zone is shown.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ZoneLook {
    /// What players call it [default: its id in words].
    #[serde(default)]
    pub name: Option<String>,
    /// The cards that are played there, as a card query.
    #[serde(default)]
    pub takes: Option<Spanned<String>>,
    /// Whether its cards lie side by side.
    #[serde(default)]
    pub row: bool,
    /// Whether only its top card is seen.
    #[serde(default)]
    pub pile: bool,
    /// Whether its cards show their backs.
    #[serde(default)]
    pub back: bool,
}

/// The table of a format.
#[derive(Debug, Clone, Serialize)]
pub struct Mat {
    /// On a wide screen; zones that the format does not have are left out.
    pub wide: LayoutEntry,
    /// On a phone.
    pub phone: LayoutEntry,
    /// The zones of the format.
    pub zones: Vec<MatZone>,
    /// What each seat counts.
    pub counters: Vec<MatCounter>,
    /// The steps of a turn.
    pub steps: Vec<String>,
}

/// A zone of a table.
#[derive(Debug, Clone, Serialize)]
pub struct MatZone {
    /// Its id in the setup.
    pub id: String,
    /// What players call it.
    pub name: String,
    /// Whether all seats share it.
    pub shared: bool,
    /// The cards that are played there, as a card query.
    pub takes: Option<String>,
    /// The most cards in it.
    pub most: Option<u64>,
    /// Whether its cards lie side by side.
    pub row: bool,
    /// Whether only its top card is seen.
    pub pile: bool,
    /// Whether its cards show their backs.
    pub back: bool,
}

/// A counter of a table.
#[derive(Debug, Clone, Serialize)]
pub struct MatCounter {
    /// Its id in the setup.
    pub id: String,
    /// What players call it.
    pub name: String,
    /// Its cap.
    pub most: Option<i64>,
}

/// What a mat needs to know of the setups of a format file.
#[derive(Debug, Default, Deserialize)]
struct Setups {
    #[serde(default)]
    setups: Vec<Setup>,
}

#[derive(Debug, Default, Deserialize)]
struct Setup {
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    zones: Zones,
    #[serde(default)]
    counters: BTreeMap<String, Cap<i64>>,
}

#[derive(Debug, Default, Deserialize)]
struct Zones {
    #[serde(default)]
    shared: BTreeMap<String, Zone>,
    #[serde(default)]
    seat: BTreeMap<String, Zone>,
}

#[derive(Debug, Default, Deserialize)]
struct Zone {
    #[serde(default)]
    play: Cap<u64>,
}

#[derive(Debug, Default, Deserialize)]
struct Cap<N> {
    most: Option<N>,
}

/// The names of fields in braces, in their order, and the text around them: `{colour} {type}`.
pub fn parts(form: &str) -> impl Iterator<Item = Part<'_>> {
    form.split_inclusive('}').flat_map(|piece| {
        let field = piece.strip_suffix('}').and_then(|open| open.split_once('{'));
        let (text, field) = field.map_or((piece, None), |(text, field)| (text, Some(field)));
        let text = Some(Part::Text(text)).filter(|_| !text.is_empty());
        text.into_iter().chain(field.map(Part::Field))
    })
}

/// A part of a text with fields in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'t> {
    /// Text.
    Text(&'t str),
    /// The name of a field.
    Field(&'t str),
}

/// An id as words: `storage_energy` is Storage Energy.
pub fn titled(id: &str) -> String {
    let words = id.split(['_', '-', ' ']).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters.as_str().chars()).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Format {
    /// The layout of the format's table; `None`: its game does not say, or no match of it starts.
    pub fn mat(&self) -> Option<Mat> {
        let game = self.game();
        let entry = &game.file.mat.as_ref()?.value;
        let Setups { setups } = read(game.text()).ok()?;
        let own =
            |setup: &Setup| setup.only.is_empty() || setup.only.iter().any(|id| id == self.id());
        let setup = setups.into_iter().find(own)?;
        let look = |id: &str| entry.zones.get(id).cloned().unwrap_or_default();
        let zone = |(id, zone): (&String, &Zone), shared| {
            let look = look(id);
            MatZone {
                id: id.clone(),
                name: look.name.unwrap_or_else(|| titled(id)),
                shared,
                takes: look.takes.map(|query| query.value),
                most: zone.play.most,
                row: look.row,
                pile: look.pile,
                back: look.back,
            }
        };
        let shared = setup.zones.shared.iter().map(|one| zone(one, true));
        let zones = shared.chain(setup.zones.seat.iter().map(|one| zone(one, false)));
        let counters = setup.counters.iter().map(|(id, cap)| MatCounter {
            id: id.clone(),
            name: entry.counters.get(id).cloned().unwrap_or_else(|| titled(id)),
            most: cap.most,
        });
        let layout = |layout: &LayoutEntry| LayoutEntry {
            columns: layout.columns.clone(),
            rows: kept(&layout.rows, &setup.zones.seat),
            theirs: kept(&layout.theirs, &setup.zones.seat),
            middle: kept(&layout.middle, &setup.zones.shared),
        };
        Some(Mat {
            wide: layout(&entry.wide),
            phone: layout(entry.phone.as_ref().unwrap_or(&entry.wide)),
            zones: zones.collect(),
            counters: counters.collect(),
            steps: entry.steps.iter().map(|step| step.value.clone()).collect(),
        })
    }
}

/// Rows without the zones that a setup does not have.
fn kept(rows: &[Spanned<String>], zones: &BTreeMap<String, Zone>) -> Vec<Spanned<String>> {
    let kept = rows.iter().map(|row| {
        let cells = row.value.split_whitespace();
        let cells = cells.map(|id| if zones.contains_key(id) { id } else { EMPTY });
        Spanned { value: cells.collect::<Vec<_>>().join(" "), span: row.span }
    });
    let is_empty = |row: &Spanned<String>| row.value.split(' ').all(|cell| cell == EMPTY);
    kept.filter(|row| !is_empty(row)).collect()
}

/// The lines of a key of the file whose value begins at a byte, with the comments and empty lines
/// above; `None`: the key is no line of its own, or there is an anchor in it.
fn part_of(text: &str, key: &str, value: usize) -> Option<Range<usize>> {
    let mut start = text.get(..value)?.rfind(key)?;
    if start > 0 && !text[..start].ends_with('\n') {
        return None;
    }
    let (mut end, mut next) = (value, value);
    for line in text[value..].split_inclusive('\n') {
        let is_first = next == value;
        next += line.len();
        let is_empty = line.trim().is_empty() || line.starts_with('#');
        if is_first || line.starts_with([' ', '\t']) && !is_empty {
            end = next;
        } else if !is_empty {
            break;
        }
    }
    if text[start..end].contains('&') {
        return None;
    }
    while let Some(line) = text[..start].strip_suffix('\n') {
        let line = line.rfind('\n').map_or(0, |at| at + 1);
        let above = text[line..start].trim();
        if !(above.is_empty() || above.starts_with('#')) {
            break;
        }
        start = line;
    }
    Some(start..end)
}

/// A cell without a zone.
const EMPTY: &str = ".";

impl Game {
    /// The text of the file without what pages show: by its digest a match says by which rules it
    /// is played, and another colour makes no other rules. A part with an anchor stays, since rules
    /// may refer to it.
    pub fn rules_text(&self) -> String {
        let mut text = self.text().to_owned();
        let file = &self.file;
        let mut parts = [
            ("face:", file.face.as_ref().map(|part| part.span.start)),
            ("mat:", file.mat.as_ref().map(|part| part.span.start)),
            ("builder:", file.builder.as_ref().map(|part| part.span.start)),
            ("start:", file.start.as_ref().map(|part| part.span.start)),
        ];
        parts.sort_by_key(|(_, start)| std::cmp::Reverse(*start));
        for (key, value) in parts {
            if let Some(lines) = value.and_then(|value| part_of(&text, key, value)) {
                text.replace_range(lines, "");
            }
        }
        text
    }

    /// What is wrong with the table that the game lays out. Decks are judged all the same, as they
    /// are where a setup is wrong; such a setup is reported by its own lint.
    pub fn mat_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut lint = Lint { game: self, problems: &mut problems };
        lint.mat();
        problems
    }
}

impl Lint<'_> {
    /// A field in a face, where the name may be.
    fn shown(&mut self, name: &str, span: Span) {
        if name != "name" {
            self.field(name, span);
        }
    }

    /// The fields in braces of a text.
    fn shown_in(&mut self, form: &Spanned<String>) {
        for part in parts(&form.value) {
            if let Part::Field(name) = part {
                self.shown(name, form.span);
            }
        }
    }

    /// How cards look.
    pub(super) fn face(&mut self) {
        let Some(Spanned { value: face, span }) = &self.game.file.face else {
            return;
        };
        let single = [&face.cost, &face.pips].into_iter().flatten();
        let by = face.colour.iter().map(|colour| &colour.by);
        let edges = face.edges.iter().flatten();
        let numbers = face.numbers.iter().flat_map(BTreeMap::values);
        let fields = [&face.title].into_iter().chain(single).chain(by).chain(edges).chain(numbers);
        for name in fields.chain(face.text.iter().filter(|text| !text.value.contains('{'))) {
            self.shown(&name.value, name.span);
        }
        for form in face.kind.iter().chain(&face.picture).chain(&face.text) {
            self.shown_in(form);
        }
        if let Some(row) = face.numbers.iter().find(|row| row.len() != 1) {
            let place = row.values().next().map_or(*span, |field| field.span);
            let message = "each of the `numbers` is one label with its field, as `- {Life: life}`";
            self.wrong(message, place);
        }
        if let Some(picture) = &face.picture {
            let file = picture.value.strip_prefix(PICTURES);
            let file = file.and_then(|rest| rest.strip_prefix('/'));
            if file.is_none_or(|file| file.contains(['/', '\\'])) {
                let message =
                    format!("a picture lies in `{PICTURES}/`, as `{PICTURES}/{{name}}.webp`");
                self.wrong(message, picture.span);
            }
        }
        if let Some(colour) = &face.colour {
            for given in colour.of.values().chain([&colour.otherwise]) {
                let digits = given.value.strip_prefix('#').unwrap_or_default();
                if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    let message = format!("`{}` is no colour such as `#c8402f`", given.value);
                    self.wrong(message, given.span);
                }
            }
            for (word, given) in &colour.of {
                self.word(&colour.by.value, word, given.span);
            }
        }
        for (name, words) in &face.words {
            self.shown(name, *span);
            for word in words.keys() {
                self.word(name, word, *span);
            }
        }
        for line in face.art.iter().chain(&face.sign).chain(&face.hour) {
            if let Some(query) = &line.value.of {
                self.query(query);
            }
        }
    }

    fn mat(&mut self) {
        let Some(Spanned { value: mat, span }) = &self.game.file.mat else {
            return;
        };
        let Setups { setups } = read(self.game.text()).unwrap_or_default();
        let zones = |of: fn(&Zones) -> &BTreeMap<String, Zone>| -> BTreeSet<&str> {
            let ids = setups.iter().flat_map(|setup| of(&setup.zones).keys());
            ids.map(String::as_str).collect()
        };
        let (seat, shared) = (zones(|zones| &zones.seat), zones(|zones| &zones.shared));
        for layout in std::iter::once(&mat.wide).chain(&mat.phone) {
            let mut columns = layout.columns.iter();
            if let Some(wide) = columns.find(|wide| !(**wide > 0.0 && wide.is_finite())) {
                let place = layout.rows.first().map_or(*span, |row| row.span);
                self.wrong(format!("a column cannot be {wide} wide"), place);
            }
            let columns = layout.columns.len();
            let middle = layout.middle.first();
            let middle = middle.map_or(0, |row| row.value.split_whitespace().count());
            let before = "no setup has a zone of this name before a seat:";
            self.rows(&layout.rows, columns, &seat, before);
            self.rows(&layout.theirs, columns, &seat, before);
            let between = "no setup has a zone of this name that all share:";
            self.rows(&layout.middle, middle, &shared, between);
        }
        for (id, zone) in &mat.zones {
            if !seat.contains(id.as_str()) && !shared.contains(id.as_str()) {
                self.wrong(format!("no setup has a zone `{id}`"), *span);
            }
            if let Some(query) = &zone.takes {
                self.query(query);
            }
        }
        for id in mat.counters.keys() {
            if !setups.iter().any(|setup| setup.counters.contains_key(id)) {
                self.wrong(format!("no setup counts `{id}`"), *span);
            }
        }
        let mut names = BTreeSet::from([""]);
        for step in &mat.steps {
            if !names.insert(step.value.trim()) {
                self.wrong("each step of a turn has a name of its own", step.span);
            }
        }
    }

    /// Rows of another length than the first, zones that no setup has, and zones whose cells are no
    /// rectangle.
    fn rows(
        &mut self,
        rows: &[Spanned<String>],
        columns: usize,
        known: &BTreeSet<&str>,
        unknown: &str,
    ) {
        let mut cells: BTreeMap<&str, Vec<(usize, usize, Span)>> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            let count = row.value.split_whitespace().count();
            if count != columns {
                let message =
                    format!("this row has {count} zones, and there are {columns} columns");
                self.wrong(message, row.span);
            }
            for (column, id) in row.value.split_whitespace().enumerate() {
                cells.entry(id).or_default().push((at, column, row.span));
            }
        }
        for (id, places) in cells.into_iter().filter(|(id, _)| *id != EMPTY) {
            let Some((_, _, span)) = places.first().copied() else {
                continue;
            };
            if !known.contains(id) {
                self.wrong(format!("{unknown} `{id}`"), span);
            }
            let side = |of: fn(&(usize, usize, Span)) -> usize| {
                let all = || places.iter().map(of);
                all().max().unwrap_or(0) - all().min().unwrap_or(0) + 1
            };
            if side(|place| place.0) * side(|place| place.1) != places.len() {
                self.wrong(format!("the cells of `{id}` are no rectangle"), span);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::format::Catalogue;
    use crate::format::tests::{KITE, wrong};
    use std::sync::Arc;

    #[test]
    fn faces_are_linted() {
        let fine = "face: {cost: might, colour: {by: type, of: {bird: \"#112233\"}}, type: [\"{type}\"], numbers: [{Might: might}], art: [{of: \"type:bird\", is: [wolf, bear]}, {is: sea}], sign: [{is: []}], hour: [{is: night}], words: {type: {kite: Dragon}}}";
        assert_eq!(wrong(fine), Vec::<String>::new());
        for (face, message) in [
            ("{cost: mana}", "no field `mana`"),
            ("{type: [\"{kind}\"]}", "no field `kind`"),
            ("{text: [\"Might {mite}\"]}", "no field `mite`"),
            ("{numbers: [{A: might, B: might}]}", "one label"),
            ("{picture: \"art/{name}.png\"}", "a picture lies in `pictures/`"),
            ("{picture: \"pictures/../{name}.png\"}", "a picture lies in `pictures/`"),
            ("{colour: {by: type, of: {bird: red}}}", "no colour"),
            ("{colour: {by: type, of: {fish: \"#112233\"}}}", "never `fish`"),
            ("{words: {type: {fish: Fish}}}", "never `fish`"),
            ("{art: [{of: \"hue:red\", is: sea}]}", "hue"),
            ("{frame: red}", "frame"),
        ] {
            let found = wrong(&format!("face: {face}"));
            assert!(found.iter().any(|one| one.contains(message)), "{face}: {found:?}");
        }
    }

    #[test]
    fn mats_are_linted_and_caps_come_from_the_setup() {
        for (mat, message) in [
            ("{wide: {columns: [1], rows: [deck row]}}", "2 zones, and there are 1 columns"),
            ("{wide: {columns: [1], rows: [hand]}}", "`hand`"),
            ("{wide: {columns: [1], rows: [field]}}", "`field`"),
            ("{wide: {columns: [1], rows: [deck], middle: [deck]}}", "`deck`"),
            ("{wide: {columns: [0], rows: [deck]}}", "0 wide"),
            ("{wide: {columns: [1, 1], rows: [deck row, row deck]}}", "no rectangle"),
            (
                "{wide: {columns: [1], rows: [deck]}, zones: {sky: {row: true}}}",
                "no setup has a zone `sky`",
            ),
            ("{wide: {columns: [1], rows: [deck]}, zones: {row: {takes: \"hue:red\"}}}", "hue"),
            (
                "{wide: {columns: [1], rows: [deck]}, counters: {mana: Mana}}",
                "no setup counts `mana`",
            ),
            ("{wide: {columns: [1], rows: [deck]}, steps: [Draw, Draw]}", "a name of its own"),
        ] {
            let game = Game::read("game.yaml", &format!("{KITE}mat: {mat}")).unwrap();
            let found = game.mat_problems().into_iter().map(|one| one.message);
            let found: Vec<String> = found.collect();
            assert!(found.iter().any(|one| one.contains(message)), "{mat}: {found:?}");
        }
        let fine = "mat: {wide: {columns: [1, 2], rows: [deck row], middle: [field]}, zones: {row: {takes: \"type:bird\"}}, steps: [Draw]}";
        let game = Arc::new(Game::read("game.yaml", &format!("{KITE}{fine}")).unwrap());
        let mat = game.formats()[0].mat().unwrap();
        let zones: Vec<_> =
            mat.zones.iter().map(|zone| (&*zone.name, zone.most, zone.shared)).collect();
        assert_eq!(zones, [("Field", None, true), ("Deck", None, false), ("Row", Some(3), false)]);
        assert_eq!((&*mat.counters[0].name, mat.counters[0].most), ("Life", Some(20)));
    }

    #[test]
    fn what_pages_show_is_no_part_of_the_rules() {
        let shown = "\n# How it looks.\nface:\n  cost: might\n  # Beneath it.\n  type:\n    - '{type}'\n\n# A table.\nmat:\n  wide: {columns: [1], rows: [deck]}\n  steps:\n    - Draw\n";
        let game = Game::read("game.yaml", &format!("{KITE}{shown}")).unwrap();
        assert_eq!(game.rules_text(), KITE);
        let (first, last) = KITE.split_at(KITE.find("fields:").unwrap());
        let between = "face: {cost: might}\n";
        let game = Game::read("game.yaml", &format!("{first}{between}{last}")).unwrap();
        assert_eq!(game.rules_text(), KITE);
        let anchored = format!("{KITE}face: {{cost: &cost might}}\n");
        let game = Game::read("game.yaml", &anchored).unwrap();
        assert_eq!(game.rules_text(), anchored);
    }

    #[test]
    fn every_shipped_game_with_cards_says_how_it_looks() {
        let catalogue = Catalogue::built_in();
        for id in catalogue.games().filter(|id| *id != "any") {
            let game = catalogue.game(id).unwrap();
            assert!(game.file.face.is_some() && game.file.mat.is_some(), "{id}");
            for format in game.formats() {
                let mat = format.mat().unwrap();
                let shown: Vec<&str> = (mat.wide.rows.iter().chain(&mat.wide.middle))
                    .flat_map(|row| row.value.split(' '))
                    .collect();
                for zone in mat.zones.iter().filter(|zone| zone.id != "hand") {
                    assert!(shown.contains(&&*zone.id), "{}: {}", format.id(), zone.id);
                }
            }
        }
    }
}
