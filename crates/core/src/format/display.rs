//! What a game's folder says for pages and paper: how a card looks (`face`) and how a table is laid
//! out (`mat`). No rule, deck or deal depends on them.

use super::{Format, Game};
use crate::pool::{FieldKind, Pool};
use crate::query::Query;
use crate::text::Span;
use crate::yaml::{Problem, Spanned, read};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The folder of a game that holds the pictures of its cards.
pub const PICTURES: &str = "pictures";

/// How a card looks: which of its fields stand where, and in which colours.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaceEntry {
    /// The field at the top [default: `name`].
    #[serde(default = "name_field")]
    pub title: Spanned<String>,
    /// The field in the badge beside the title.
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
    /// The field that the motif `pip` shows in large.
    #[serde(default)]
    pub glyph: Option<Spanned<String>>,
    /// The maker's picture of a card, such as `pictures/{name}.webp`; a file that is called like
    /// its card needs no mention.
    #[serde(default)]
    pub picture: Option<Spanned<String>>,
    /// What is drawn where there is no picture: the first whose query picks the card.
    #[serde(default)]
    pub art: Vec<ArtEntry>,
    /// How words are written on a card, by field: word to text [default: with a capital].
    #[serde(default)]
    pub words: BTreeMap<String, BTreeMap<String, String>>,
}

fn name_field() -> Spanned<String> {
    Spanned {
        value: "name".to_owned(),
        span: Span::default(),
    }
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

/// The colour of a card whose game gives none.
pub const GREY: &str = "#5b6472";

fn grey() -> Spanned<String> {
    Spanned {
        value: GREY.to_owned(),
        span: Span::default(),
    }
}

/// A motif and the cards that have it.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArtEntry {
    /// A card query [default: every card].
    #[serde(default)]
    pub of: Option<Spanned<String>>,
    /// The motif.
    pub is: Motif,
}

/// What is drawn on a card without a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Motif {
    Hills,
    Forest,
    Sea,
    Fire,
    #[default]
    Ruins,
    Stars,
    Keep,
    Gem,
    Portrait,
    Orb,
    Burst,
    Blades,
    Barrel,
    Rounds,
    Shield,
    Gears,
    Beast,
    /// The field `glyph` in large.
    Pip,
}

/// How a table is laid out.
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

/// Rows and columns of zones. A zone that stands in several cells fills them; `.` is an empty one.
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
        let field = piece
            .strip_suffix('}')
            .and_then(|open| open.split_once('{'));
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
    /// How the format's table is laid out; `None`: its game does not say, or no match of it starts.
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
            name: entry
                .counters
                .get(id)
                .cloned()
                .unwrap_or_else(|| titled(id)),
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
        Spanned {
            value: cells.collect::<Vec<_>>().join(" "),
            span: row.span,
        }
    });
    let is_empty = |row: &Spanned<String>| row.value.split(' ').all(|cell| cell == EMPTY);
    kept.filter(|row| !is_empty(row)).collect()
}

/// A cell without a zone.
const EMPTY: &str = ".";

impl Game {
    /// The text of the file without what pages show: by its digest a match says by which rules it is
    /// played, and another colour makes no other rules. Anchors may be meant elsewhere, so that a
    /// part with any stays.
    pub fn rules_text(&self) -> String {
        let mut text = self.text().to_owned();
        let file = &self.file;
        let parts = [
            ("face:", file.face.as_ref().map(|face| face.span)),
            ("mat:", file.mat.as_ref().map(|mat| mat.span)),
            (
                "builder:",
                file.builder.as_ref().map(|builder| builder.span),
            ),
            ("start:", file.start.as_ref().map(|start| start.span)),
        ];
        let parts = parts.into_iter();
        let mut parts: Vec<_> = parts.filter_map(|(key, span)| Some((key, span?))).collect();
        parts.sort_by_key(|(_, span)| std::cmp::Reverse(span.start));
        for (key, span) in parts {
            let before = text.get(..span.start).unwrap_or_default();
            let start = before
                .rfind(key)
                .filter(|at| *at == 0 || before[..*at].ends_with('\n'));
            // It ends with the last line that stands further right than a key of the file.
            let mut end = span.start;
            let mut lines = span.start;
            for line in text
                .get(span.start..)
                .unwrap_or_default()
                .split_inclusive('\n')
            {
                let is_first = lines == span.start;
                lines += line.len();
                let is_empty = line.trim().is_empty() || line.starts_with('#');
                if is_first || line.starts_with([' ', '\t']) && !is_empty {
                    end = lines;
                } else if !is_empty {
                    break;
                }
            }
            let Some(mut start) = start.filter(|start| !text[*start..end].contains('&')) else {
                continue;
            };
            // The remarks and empty lines above belong to it.
            while let Some(line) = text[..start].strip_suffix('\n') {
                let line = line.rfind('\n').map_or(0, |at| at + 1);
                let above = text[line..start].trim();
                if !(above.is_empty() || above.starts_with('#')) {
                    break;
                }
                start = line;
            }
            text.replace_range(start..end, "");
        }
        text
    }

    /// What is wrong with how cards look.
    pub(super) fn check_display(&self, problems: &mut Vec<Problem>) {
        if let Some(face) = &self.file.face {
            self.check_face(&face.value, face.span, problems);
        }
    }

    fn check_face(&self, face: &FaceEntry, span: Span, problems: &mut Vec<Problem>) {
        let is_field = |name: &str| {
            name == "name"
                || self.file.open_fields
                || self.fields.iter().any(|one| one.name == name)
        };
        let mut field = |name: &str, span: Span| {
            if !is_field(name) {
                problems.push(Problem::new(format!("no field `{name}`"), span));
            }
        };
        let single = [
            Some(&face.title),
            face.cost.as_ref(),
            face.pips.as_ref(),
            face.glyph.as_ref(),
        ];
        let by = face.colour.as_ref().map(|colour| &colour.by);
        let edges = face.edges.iter().flatten();
        let numbers = face.numbers.iter().flat_map(BTreeMap::values);
        for name in single
            .into_iter()
            .flatten()
            .chain(by)
            .chain(edges)
            .chain(numbers)
        {
            field(&name.value, name.span);
        }
        for form in face.kind.iter().chain(&face.picture) {
            for part in parts(&form.value) {
                if let Part::Field(name) = part {
                    field(name, form.span);
                }
            }
        }
        for text in &face.text {
            if !text.value.contains('{') {
                field(&text.value, text.span);
            }
            for part in parts(&text.value) {
                if let Part::Field(name) = part {
                    field(name, text.span);
                }
            }
        }
        face.words.keys().for_each(|name| field(name, span));
        if let Some(row) = face.numbers.iter().find(|row| row.len() != 1) {
            let place = row.values().next().map_or(span, |field| field.span);
            let message = "each of the `numbers` is one label with its field, as `- {Life: life}`";
            problems.push(Problem::new(message, place));
        }
        if let Some(picture) = &face.picture {
            let file = picture
                .value
                .strip_prefix(PICTURES)
                .and_then(|rest| rest.strip_prefix('/'));
            if file.is_none_or(|file| file.contains(['/', '\\'])) {
                let message =
                    format!("a picture lies in `{PICTURES}/`, as `{PICTURES}/{{name}}.webp`");
                problems.push(Problem::new(message, picture.span));
            }
        }
        if let Some(colour) = &face.colour {
            for given in colour.of.values().chain([&colour.otherwise]) {
                let digits = given.value.strip_prefix('#').unwrap_or_default();
                if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    let message = format!("`{}` is no colour such as `#c8402f`", given.value);
                    problems.push(Problem::new(message, given.span));
                }
            }
            let words = colour.of.iter().map(|(word, given)| (word, given.span));
            self.check_words(&colour.by.value, words, problems);
        }
        for (name, words) in &face.words {
            self.check_words(name, words.keys().map(|word| (word, span)), problems);
        }
        let queries = face.art.iter().filter_map(|art| art.of.as_ref());
        self.check_queries(queries, problems);
    }

    /// Reports words that a field never has.
    fn check_words<'w>(
        &self,
        name: &str,
        words: impl Iterator<Item = (&'w String, Span)>,
        problems: &mut Vec<Problem>,
    ) {
        let Some(field) = self.fields.iter().find(|field| field.name == name) else {
            return;
        };
        let has_words = matches!(field.kind, FieldKind::Word { .. } | FieldKind::List { .. });
        for (word, span) in words {
            if !has_words || field.canonical(word).is_none() {
                problems.push(Problem::new(format!("`{name}` is never `{word}`"), span));
            }
        }
    }

    fn check_queries<'q>(
        &self,
        queries: impl Iterator<Item = &'q Spanned<String>>,
        problems: &mut Vec<Problem>,
    ) {
        for query in queries {
            let checked = Query::parse(&query.value).and_then(|parsed| {
                if self.file.open_fields {
                    return Ok(());
                }
                parsed.check(self.fields())
            });
            if let Err(error) = checked {
                problems.push(Problem::in_query(query, &error.message));
            }
        }
    }

    /// What is wrong with the table that the game lays out. Decks are judged all the same, as they
    /// are where a setup is wrong; such a setup is reported by its own lint.
    pub fn mat_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Some(mat) = &self.file.mat {
            self.check_mat(&mat.value, mat.span, &mut problems);
        }
        problems
    }

    fn check_mat(&self, mat: &MatEntry, span: Span, problems: &mut Vec<Problem>) {
        let Setups { setups } = read(self.text()).unwrap_or_default();
        let zones = |of: fn(&Zones) -> &BTreeMap<String, Zone>| -> BTreeSet<&str> {
            let ids = setups.iter().flat_map(|setup| of(&setup.zones).keys());
            ids.map(String::as_str).collect()
        };
        let (seat, shared) = (zones(|zones| &zones.seat), zones(|zones| &zones.shared));
        for layout in std::iter::once(&mat.wide).chain(&mat.phone) {
            let columns = layout.columns.len();
            if let Some(column) = layout
                .columns
                .iter()
                .find(|wide| !(**wide > 0.0 && wide.is_finite()))
            {
                let place = layout.rows.first().map_or(span, |row| row.span);
                problems.push(Problem::new(
                    format!("a column cannot be {column} wide"),
                    place,
                ));
            }
            let middle = layout.middle.first();
            let middle = middle.map_or(0, |row| row.value.split_whitespace().count());
            let before = "no setup has a zone of this name before a seat:";
            check_rows(&layout.rows, columns, &seat, before, problems);
            check_rows(&layout.theirs, columns, &seat, before, problems);
            let between = "no setup has a zone of this name that all share:";
            check_rows(&layout.middle, middle, &shared, between, problems);
        }
        for id in mat
            .zones
            .keys()
            .filter(|id| !seat.contains(id.as_str()) && !shared.contains(id.as_str()))
        {
            problems.push(Problem::new(format!("no setup has a zone `{id}`"), span));
        }
        let counted = |id: &&String| setups.iter().any(|setup| setup.counters.contains_key(*id));
        for id in mat.counters.keys().filter(|id| !counted(id)) {
            problems.push(Problem::new(format!("no setup counts `{id}`"), span));
        }
        let takes = mat.zones.values().filter_map(|zone| zone.takes.as_ref());
        self.check_queries(takes, problems);
        let steps = mat.steps.iter().enumerate();
        for (at, step) in steps {
            if step.value.trim().is_empty()
                || mat.steps.iter().take(at).any(|one| one.value == step.value)
            {
                problems.push(Problem::new(
                    "each step of a turn has a name of its own",
                    step.span,
                ));
            }
        }
    }

    /// What the pictures of `art` ask for that no card of a pool has.
    pub(super) fn display_unused(&self, pool: &Pool) -> Vec<Problem> {
        let face = self.file.face.iter().flat_map(|face| &face.value.art);
        let queries = face.filter_map(|art| art.of.as_ref());
        let mat = self
            .file
            .mat
            .iter()
            .flat_map(|mat| mat.value.zones.values());
        let queries = queries.chain(mat.filter_map(|zone| zone.takes.as_ref()));
        let told = queries.flat_map(|query| {
            let remarks = Query::parse(&query.value).map(|parsed| parsed.remarks(pool));
            let remarks = remarks.unwrap_or_default().into_iter();
            remarks.map(|remark| Problem::in_query(query, &remark.message))
        });
        told.collect()
    }
}

/// Reports rows of another length than the first, zones that no setup has, and zones whose cells
/// are no rectangle.
fn check_rows(
    rows: &[Spanned<String>],
    columns: usize,
    known: &BTreeSet<&str>,
    unknown: &str,
    problems: &mut Vec<Problem>,
) {
    let mut cells: BTreeMap<&str, Vec<(usize, usize, Span)>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let count = row.value.split_whitespace().count();
        if count != columns {
            let message = format!("this row has {count} zones, and there are {columns} columns");
            problems.push(Problem::new(message, row.span));
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
            problems.push(Problem::new(format!("{unknown} `{id}`"), span));
        }
        let side = |of: fn(&(usize, usize, Span)) -> usize| {
            let all = || places.iter().map(of);
            all().max().unwrap_or(0) - all().min().unwrap_or(0) + 1
        };
        if side(|place| place.0) * side(|place| place.1) != places.len() {
            let message = format!("the cells of `{id}` are no rectangle");
            problems.push(Problem::new(message, span));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::format::Catalogue;
    use std::sync::Arc;

    const GAME: &str = "schema: decklaw/format/1
game: kite
name: Kite
text: none
fields:
  - {name: type, kind: word, values: [bird, kite]}
  - {name: might, kind: number}
formats: [{id: kite, name: Kite}]
setups:
  - zones: {shared: {field: {}}, seat: {deck: {}, row: {play: {most: 3}}}}
    counters: {life: {most: 20}}
";

    fn wrong(more: &str) -> Vec<String> {
        let read = Game::read("game.yaml", &format!("{GAME}{more}"));
        let problems = read.err().map(|error| error.problems).unwrap_or_default();
        problems
            .into_iter()
            .map(|problem| problem.message)
            .collect()
    }

    #[test]
    fn faces_are_linted() {
        let fine = "face: {cost: might, colour: {by: type, of: {bird: \"#112233\"}}, type: [\"{type}\"], numbers: [{Might: might}], art: [{of: \"type:bird\", is: beast}, {is: sea}], words: {type: {kite: Dragon}}}";
        assert_eq!(wrong(fine), Vec::<String>::new());
        for (face, told) in [
            ("{cost: mana}", "no field `mana`"),
            ("{type: [\"{kind}\"]}", "no field `kind`"),
            ("{text: [\"Might {mite}\"]}", "no field `mite`"),
            ("{numbers: [{A: might, B: might}]}", "one label"),
            (
                "{picture: \"art/{name}.png\"}",
                "a picture lies in `pictures/`",
            ),
            (
                "{picture: \"pictures/../{name}.png\"}",
                "a picture lies in `pictures/`",
            ),
            ("{colour: {by: type, of: {bird: red}}}", "no colour"),
            (
                "{colour: {by: type, of: {fish: \"#112233\"}}}",
                "never `fish`",
            ),
            ("{words: {type: {fish: Fish}}}", "never `fish`"),
            ("{art: [{of: \"hue:red\", is: sea}]}", "hue"),
            ("{art: [{is: dragon}]}", "dragon"),
            ("{frame: red}", "frame"),
        ] {
            let found = wrong(&format!("face: {face}"));
            assert!(
                found.iter().any(|one| one.contains(told)),
                "{face}: {found:?}"
            );
        }
    }

    #[test]
    fn mats_are_linted_and_caps_come_from_the_setup() {
        for (mat, told) in [
            (
                "{wide: {columns: [1], rows: [deck row]}}",
                "2 zones, and there are 1 columns",
            ),
            ("{wide: {columns: [1], rows: [hand]}}", "`hand`"),
            ("{wide: {columns: [1], rows: [field]}}", "`field`"),
            (
                "{wide: {columns: [1], rows: [deck], middle: [deck]}}",
                "`deck`",
            ),
            ("{wide: {columns: [0], rows: [deck]}}", "0 wide"),
            (
                "{wide: {columns: [1, 1], rows: [deck row, row deck]}}",
                "no rectangle",
            ),
            (
                "{wide: {columns: [1], rows: [deck]}, zones: {sky: {row: true}}}",
                "no setup has a zone `sky`",
            ),
            (
                "{wide: {columns: [1], rows: [deck]}, zones: {row: {takes: \"hue:red\"}}}",
                "hue",
            ),
            (
                "{wide: {columns: [1], rows: [deck]}, counters: {mana: Mana}}",
                "no setup counts `mana`",
            ),
            (
                "{wide: {columns: [1], rows: [deck]}, steps: [Draw, Draw]}",
                "a name of its own",
            ),
        ] {
            let game = Game::read("game.yaml", &format!("{GAME}mat: {mat}")).unwrap();
            let found = game.mat_problems().into_iter().map(|one| one.message);
            let found: Vec<String> = found.collect();
            assert!(
                found.iter().any(|one| one.contains(told)),
                "{mat}: {found:?}"
            );
        }
        let fine = "mat: {wide: {columns: [1, 2], rows: [deck row], middle: [field]}, zones: {row: {takes: \"type:bird\"}}, steps: [Draw]}";
        let game = Arc::new(Game::read("game.yaml", &format!("{GAME}{fine}")).unwrap());
        let mat = game.formats()[0].mat().unwrap();
        let zones: Vec<_> = mat
            .zones
            .iter()
            .map(|zone| (&*zone.name, zone.most, zone.shared))
            .collect();
        assert_eq!(
            zones,
            [
                ("Field", None, true),
                ("Deck", None, false),
                ("Row", Some(3), false)
            ]
        );
        assert_eq!(
            (&*mat.counters[0].name, mat.counters[0].most),
            ("Life", Some(20))
        );
    }

    #[test]
    fn what_pages_show_is_no_part_of_the_rules() {
        let shown = "\n# How it looks.\nface:\n  cost: might\n  # Beneath it.\n  type:\n    - '{type}'\n\n# A table.\nmat:\n  wide: {columns: [1], rows: [deck]}\n  steps:\n    - Draw\n";
        let game = Game::read("game.yaml", &format!("{GAME}{shown}")).unwrap();
        assert_eq!(game.rules_text(), GAME);
        let (first, last) = GAME.split_at(GAME.find("fields:").unwrap());
        let between = "face: {cost: might}\n";
        let game = Game::read("game.yaml", &format!("{first}{between}{last}")).unwrap();
        assert_eq!(game.rules_text(), GAME);
        let anchored = format!("{GAME}face: {{cost: &cost might}}\n");
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
