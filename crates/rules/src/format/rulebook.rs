//! All the rules of a format, made for one pool, one banlist and some settings.

mod judging;

use super::Format;
use crate::banlist::listed as lists;
use crate::banlist::{Banlist, ChangedPool, ListNotice};
use crate::game::{SettingValue, UNKNOWN};
use crate::origin::Sources;
use crate::rules::tree::Accepted;
use crate::rules::{
    Compile, Contents, Failing, Judgement, Linear, Meter, Rule, SectionSet, Severity, unknown,
};
use decklaw_cards::pool::Pool;
use decklaw_text::text::listed;
use decklaw_text::{Problem, ProblemKind};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The ids of the rules of every game: what a deck is written like, which cards there are, and
/// what a banlist says.
pub const EVERYWHERE: [&str; 8] = [
    "syntax",
    unknown::ID,
    lists::BANNED,
    lists::RESTRICTED,
    lists::POINTS,
    lists::GROUP,
    lists::ROTATION,
    lists::CHANGES,
];

/// That settings, a card file or a banlist do not fit the format.
fn unfit(message: String) -> Problem {
    Problem::new(ProblemKind::Game, message)
}

/// That a banlist asks what the cards cannot answer.
fn unfit_list(list: &Banlist, problem: &str) -> Problem {
    unfit(format!("the banlist {}: {problem}", list.id))
}

/// The columns that are needed and the pool lacks.
fn lacking(mut columns: Vec<String>, pool: &Pool, whose: &str) -> Option<Problem> {
    columns.retain(|field| pool.column(field).is_none());
    columns.sort_unstable();
    columns.dedup();
    let noun = if columns.len() == 1 { "the column" } else { "the columns" };
    let columns: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
    let columns = Some(listed(&columns, "and")).filter(|columns| !columns.is_empty())?;
    Some(unfit(format!("the card file lacks {noun} {columns}, which {whose} need")))
}

/// How the rules depend on cards, from their linear form.
#[derive(Debug)]
pub struct Shape {
    /// For each card, the first card that every rule treats alike.
    pub alike: Vec<u32>,
    /// For each card, section by section, which rules its copies there can matter to.
    pub touched: Vec<u64>,
    /// The rules that a copy may break and a further one keep again.
    pub wavering: u64,
    /// The rules that a copy may break and other cards that come in keep again.
    pub repairable: u64,
}

/// The cards of a rulebook.
#[derive(Debug, Clone)]
struct Cards {
    pool: Arc<Pool>,
    /// What the banlist says otherwise of them than the card file.
    changed: Option<Arc<ChangedPool>>,
}

impl Cards {
    /// The cards of a pool as a list has them.
    fn new(pool: Arc<Pool>, list: Option<&Banlist>) -> Result<Cards, Problem> {
        let Some(list) = list else {
            return Ok(Cards::printed(pool));
        };
        match list.changed(&pool) {
            Ok(None) => Ok(Cards::printed(pool)),
            Ok(Some(changed)) => {
                Ok(Cards { pool: Arc::clone(&changed.pool), changed: Some(Arc::new(changed)) })
            }
            Err(problems) => {
                Err(unfit_list(list, problems.first().map_or("", |first| &first.message)))
            }
        }
    }

    /// The cards of a pool as they are.
    fn printed(pool: Arc<Pool>) -> Cards {
        let changed = None;
        Cards { pool, changed }
    }
}

/// Everything that decides a deck of one format.
#[derive(Debug)]
pub struct Rulebook {
    format: Format,
    cards: Cards,
    list: Option<Arc<Banlist>>,
    settings: BTreeMap<String, Option<SettingValue>>,
    rules: Vec<Rule>,
    /// The rules that may refuse a card its section.
    gates: Vec<usize>,
    from: Sources,
    list_notices: Vec<ListNotice>,
    /// Made when first asked for; see [`Rulebook::digest`].
    digest: OnceLock<String>,
    /// Made when first asked for; see [`Rulebook::shape`].
    shape: OnceLock<Shape>,
    /// The cards that each section takes; made when first asked for.
    accepted: OnceLock<Accepted>,
}

impl Rulebook {
    /// Makes the rules of a format for a pool, a banlist and settings (name to value).
    ///
    /// # Errors
    /// An unknown setting or a wrong value; a column that a rule needs and the
    /// pool lacks.
    pub fn new(
        format: &Format,
        pool: Arc<Pool>,
        list: Option<Arc<Banlist>>,
        given: &BTreeMap<String, String>,
    ) -> Result<Rulebook, Problem> {
        let settings = format.settings(given).map_err(unfit)?;
        let cards = Cards::new(pool, list.as_deref())?;
        match Rulebook::made(format, cards, list, settings) {
            (_, Some(error)) => Err(error),
            (rulebook, None) => Ok(rulebook),
        }
    }

    /// The same rules over a pool of just these names: what a deck is judged by where the game
    /// has no cards of its own. Names have no fields, nor has the empty pool in their place:
    /// rules that need any were refused with that one.
    #[must_use]
    pub fn over_names<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Rulebook {
        let (list, settings) = (self.list.clone(), self.settings.clone());
        let cards = Cards::printed(Arc::new(Pool::of_names(names)));
        Rulebook::made(&self.format, cards, list, settings).0
    }

    /// The rules, and why they do not fit the pool and the settings.
    fn made(
        format: &Format,
        cards: Cards,
        list: Option<Arc<Banlist>>,
        settings: BTreeMap<String, Option<SettingValue>>,
    ) -> (Rulebook, Option<Problem>) {
        let pool = &*cards.pool;
        let mut compile = Compile::new(format.game().sections(), &settings, pool);
        let entries = format.rules(&settings);
        let mut rules: Vec<Rule> = entries.map(|entry| entry.compile(&mut compile)).collect();
        let groups = std::mem::take(&mut compile.groups);
        let problem = compile.problems.into_iter().next();
        let problem = problem.map(|problem| unfit(problem.message));
        let lacking = lacking(compile.needed, pool, &format!("the rules of `{}`", format.id()));
        let gates = (0..rules.len()).filter(|at| rules[*at].is_gate()).collect();
        let lenient = settings.get(UNKNOWN) == Some(&Some(SettingValue::Word("notice".to_owned())));
        rules.push(unknown::rule(lenient, pool));
        let mut of_list = None;
        if let Some(list) = &list {
            let mut compile = Compile::new(format.game().sections(), &settings, pool);
            compile.groups = groups;
            rules.extend(lists::rules(list, cards.changed.as_ref(), &mut compile));
            let problem = compile.problems.into_iter().next();
            let whose = format!("the queries and fields of the banlist {}", list.id);
            of_list = problem.map(|problem| unfit_list(list, &problem.message));
            of_list = of_list.or_else(|| self::lacking(compile.needed, pool, &whose));
        }
        let rulebook = Rulebook {
            format: format.clone(),
            cards,
            list,
            settings,
            rules,
            gates,
            from: Sources::new(),
            list_notices: Vec::new(),
            digest: OnceLock::new(),
            shape: OnceLock::new(),
            accepted: OnceLock::new(),
        };
        (rulebook, problem.or(lacking).or(of_list))
    }

    /// The same rules, with what every report notes of the list.
    #[must_use]
    pub fn with_list_notices(mut self, notices: Vec<ListNotice>) -> Rulebook {
        self.list_notices = notices;
        self
    }

    /// What every report notes of the list.
    pub fn list_notices(&self) -> &[ListNotice] {
        &self.list_notices
    }

    /// The same rules, with where they come from.
    #[must_use]
    pub fn with_sources(mut self, from: Sources) -> Rulebook {
        self.from = from;
        self
    }

    /// Where the format, its cards and its list come from, for each that is not built in.
    pub fn sources(&self) -> &Sources {
        &self.from
    }

    /// What the rules demand of a deck with these contents, in linear form; the tag of a row
    /// is its rule's index. Advice is a demand only where `advice` says so. `most` is the
    /// largest number of copies of a card; unknown cards stay as they are where they are no
    /// error, and are left out where they are.
    pub fn linear<'c>(
        &self,
        contents: &'c Contents<'c>,
        sections: usize,
        most: i64,
        advice: bool,
    ) -> Linear<'c> {
        self.linear_of(contents, sections, most, |rule| rule.counts(advice))
    }

    /// The same of some rules alone.
    pub fn linear_of<'c>(
        &self,
        contents: &'c Contents<'c>,
        sections: usize,
        most: i64,
        counts: impl Fn(&Rule) -> bool,
    ) -> Linear<'c> {
        let mut linear = Linear::new(contents, sections, most, self.allows_unknown());
        for (tag, rule) in (0..).zip(&self.rules) {
            if counts(rule) {
                linear.tagged(tag);
                rule.demand_in(&mut linear);
            }
        }
        linear
    }

    /// Whether a deck may have cards that the pool does not know.
    fn allows_unknown(&self) -> bool {
        let is_it = |rule: &Rule| rule.kind == unknown::ID;
        !self.rules.iter().any(|rule| is_it(rule) && rule.severity == Severity::Error)
    }

    /// The meters of the budgets and sizes that a deck has something of, in the order of the rules.
    pub fn meters(&self, contents: &Contents<'_>) -> Vec<Meter> {
        let sections = self.format().game().sections();
        let each = self.rules.iter().filter_map(|rule| {
            let reading = rule.reading(contents)?;
            let section = reading.section.and_then(|section| sections.get(section));
            Some(Meter {
                rule: rule.id.clone(),
                section: section.map(|section| section.id.clone()),
                text: reading.text(),
                value: reading.value,
                low: reading.low,
                high: reading.high,
            })
        });
        each.collect()
    }

    /// The sections whose cards say which others a deck may have.
    pub fn identity_sections(&self) -> SectionSet {
        let each = self.rules.iter().map(Rule::identity_sections);
        each.fold(SectionSet::default(), SectionSet::and)
    }

    /// What a judgement means: an unverified demand is a notice, whatever the rule.
    pub fn severity(&self, judgement: &Judgement) -> Severity {
        match judgement.violation.failing {
            Failing::Unverified => Severity::Notice,
            Failing::Shortfall | Failing::Excess => self.rules[judgement.rule].severity,
        }
    }

    /// The rules, those of the format first, in the order of its file.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The format.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// What a deck's reader must know of the game.
    pub fn section_names(&self) -> decklaw_cards::sections::SectionNames<'_> {
        decklaw_cards::sections::SectionNames {
            pool: Some(self.pool()),
            ..self.format.game().section_names()
        }
    }

    /// The cards, as the banlist has them.
    pub fn pool(&self) -> &Arc<Pool> {
        &self.cards.pool
    }

    /// The banlist, if one applies.
    pub fn list(&self) -> Option<&Arc<Banlist>> {
        self.list.as_ref()
    }

    /// The values of the game's settings, without the format's own values.
    pub fn settings(&self) -> BTreeMap<&str, &SettingValue> {
        let own = &self.format.entry().values;
        let given = self.settings.iter().filter(|(name, _)| !own.contains_key(*name));
        given.filter_map(|(name, value)| Some((name.as_str(), value.as_ref()?))).collect()
    }

    /// The settings whose values are not the game's defaults.
    pub fn settings_given(&self) -> impl Iterator<Item = (&str, &SettingValue)> {
        let values = self.settings();
        let entries = self.format.game().file.settings.iter();
        entries.filter_map(move |entry| {
            let (name, value) = values.get_key_value(entry.name.value.as_str())?;
            let left = entry.default.as_ref();
            let left = left.is_some_and(|left| left.value.to_string() == value.to_string());
            (!left).then_some((*name, *value))
        })
    }

    /// The digest of what decides decks by this rulebook, made by `make` when first asked for.
    pub fn digest(&self, make: impl FnOnce() -> String) -> &str {
        self.digest.get_or_init(make)
    }

    /// How the rules look at cards, made by `make` when first asked for.
    pub fn shape(&self, make: impl FnOnce() -> Shape) -> &Shape {
        self.shape.get_or_init(make)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::format::{Catalogue, Game};
    use crate::rules::{Failing, Holding};
    use decklaw_cards::pool::CardId;

    /// A game's formats over its cards, the rules judged and the condition asked of small decks.
    fn agree(game: &Arc<Game>, pool: &Arc<Pool>, random: &mut impl FnMut(usize) -> usize) -> usize {
        let mut broken = 0;
        for format in game.formats() {
            let Ok(rulebook) = Rulebook::new(&format, Arc::clone(pool), None, &BTreeMap::new())
            else {
                continue;
            };
            let rulebook = Arc::new(rulebook);
            let sections = game.sections().len();
            for _ in 0..60 {
                let holdings = (0..random(12)).map(|_| Holding {
                    card: CardId(random(pool.len()) as u32),
                    section: random(sections) as u16,
                    copies: 1 + random(4) as i64,
                });
                let holdings = Contents::added_up(holdings.collect());
                let contents = Contents::new(pool, holdings, Vec::new());
                let refused = |held: &Holding| {
                    let mut rules = rulebook.rules.iter();
                    rules.any(|rule| rule.refuses(held))
                };
                let rest = contents.without(refused);
                for rule in &rulebook.rules {
                    let of = if rule.is_gate() { &contents } else { &rest };
                    let found = rule.judge(of).into_iter();
                    let is_broken =
                        found.filter(|violation| violation.failing != Failing::Unverified).count()
                            > 0;
                    let linear = Linear::new(of, sections, 1_000, true);
                    let holds = rule.cond(&linear).holds(of);
                    assert_eq!(
                        holds,
                        Some(!is_broken),
                        "{} `{}`: {:?}",
                        game.id(),
                        rule.id,
                        of.all()
                    );
                    broken += usize::from(is_broken);
                }
            }
        }
        broken
    }

    #[test]
    fn rules_demand_what_they_judge() {
        let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut catalogue = Catalogue::built_in();
        for game in ["netrunner", "yugioh"] {
            let folder = root.join("examples/games").join(game);
            catalogue.add_game(&folder).unwrap();
        }
        let mut seed = 7_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below.max(1)
        };
        let ids: Vec<String> = catalogue.games().map(str::to_owned).collect();
        for id in ids {
            let game = catalogue.game(&id).unwrap();
            let Some((_, bytes)) = catalogue.cards(&id) else {
                continue;
            };
            let pool = Arc::new(game.read_cards(bytes).unwrap());
            assert!(agree(&game, &pool, &mut random) > 0, "{id}");
        }
        let lantern = root.join("docs/lantern");
        let text = std::fs::read_to_string(lantern.join("game.yaml")).unwrap();
        let game = Arc::new(Game::read("game.yaml", &text).unwrap());
        let cards = std::fs::read(lantern.join("cards.csv")).unwrap();
        let pool = Arc::new(game.read_cards(&cards).unwrap());
        assert!(agree(&game, &pool, &mut random) > 0);
    }
}
