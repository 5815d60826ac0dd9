//! The layout of a table.

use super::{Look, titled};
use decklaw_rules::format::{Format, Lint};
use decklaw_text::text::Span;
use decklaw_text::yaml::{Spanned, read};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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
    pub zones: BTreeMap<String, Spanned<ZoneLook>>,
    /// What counters are called, by id [default: their ids in words].
    #[serde(default)]
    pub counters: BTreeMap<String, Spanned<String>>,
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

impl Look {
    /// The layout of a format's table; `None`: its game does not say, or no match of it starts.
    pub fn mat(&self, format: &Format) -> Option<Mat> {
        let entry = &self.mat.as_ref()?.value;
        let Setups { setups } = read(format.game().text()).ok()?;
        let own =
            |setup: &Setup| setup.only.is_empty() || setup.only.iter().any(|id| id == format.id());
        let setup = setups.into_iter().find(own)?;
        let look = |id: &str| entry.zones.get(id).cloned().unwrap_or_default().value;
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
            name: entry.counters.get(id).map_or_else(|| titled(id), |name| name.value.clone()),
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
/// A cell without a zone.
const EMPTY: &str = ".";

/// What is wrong with the layout of a table.
pub(super) fn lint(lint: &mut Lint<'_>, Spanned { value: mat, span }: &Spanned<MatEntry>) {
    let Setups { setups } = read(lint.game.text()).unwrap_or_default();
    let zones = |of: fn(&Zones) -> &BTreeMap<String, Zone>| -> BTreeSet<&str> {
        let ids = setups.iter().flat_map(|setup| of(&setup.zones).keys());
        ids.map(String::as_str).collect()
    };
    let (seat, shared) = (zones(|zones| &zones.seat), zones(|zones| &zones.shared));
    for layout in std::iter::once(&mat.wide).chain(&mat.phone) {
        let mut columns = layout.columns.iter();
        if let Some(wide) = columns.find(|wide| !(**wide > 0.0 && wide.is_finite())) {
            let place = layout.rows.first().map_or(*span, |row| row.span);
            lint.wrong(format!("a column cannot be {wide} wide"), place);
        }
        let columns = layout.columns.len();
        let middle = layout.middle.first();
        let middle = middle.map_or(0, |row| row.value.split_whitespace().count());
        let before = "no setup has a zone of this name before a seat:";
        lint_rows(lint, &layout.rows, columns, &seat, before);
        lint_rows(lint, &layout.theirs, columns, &seat, before);
        let between = "no setup has a zone of this name that all share:";
        lint_rows(lint, &layout.middle, middle, &shared, between);
    }
    for (id, zone) in &mat.zones {
        if !seat.contains(id.as_str()) && !shared.contains(id.as_str()) {
            lint.wrong(format!("no setup has a zone `{id}`"), zone.span);
        }
        if let Some(query) = &zone.value.takes {
            lint.query(query);
        }
    }
    for (id, name) in &mat.counters {
        if !setups.iter().any(|setup| setup.counters.contains_key(id)) {
            lint.wrong(format!("no setup counts `{id}`"), name.span);
        }
    }
    let mut names = BTreeSet::from([""]);
    for step in &mat.steps {
        if !names.insert(step.value.trim()) {
            lint.wrong("each step of a turn has a name of its own", step.span);
        }
    }
}

/// Rows of another length than the first, zones that no setup has, and zones whose cells are no
/// rectangle.
fn lint_rows(
    lint: &mut Lint<'_>,
    rows: &[Spanned<String>],
    columns: usize,
    known: &BTreeSet<&str>,
    unknown: &str,
) {
    let mut cells: BTreeMap<&str, Vec<(usize, usize, Span)>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let count = row.value.split_whitespace().count();
        if count != columns {
            let message = format!("this row has {count} zones, and there are {columns} columns");
            lint.wrong(message, row.span);
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
            lint.wrong(format!("{unknown} `{id}`"), span);
        }
        let side = |of: fn(&(usize, usize, Span)) -> usize| {
            let all = || places.iter().map(of);
            all().max().unwrap_or(0) - all().min().unwrap_or(0) + 1
        };
        if side(|place| place.0) * side(|place| place.1) != places.len() {
            lint.wrong(format!("the cells of `{id}` are not a rectangle"), span);
        }
    }
}
