//! `decklaw banlist lab`: what a new list does to a format.

use super::super::odds::{defaults, refuse, whole};
use super::super::options::{Both, Day, Pool, Settings, Writing};
use super::super::output::{self, TextAndJson};
use super::super::wishes::Effort;
use super::super::{Answer, Refusal, Run, inputs, terminal};
use super::given;
use crate::banlist::{Banlist, Entry};
use crate::format::Rulebook;
use crate::judge::Judge;
use crate::odds::{Asked, Fraction};
use crate::pool::CardId;
use crate::resolve::Decklist;
use crate::solve::{Best, Binds, Effect, Examined, Lab, LabError, LabGoal, Reach, Reached, Said};
use crate::text::{counted, harmless};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  decklaw banlist lab vainqueur-sample-2026-01 vainqueur-sample-2026-07 --set max=50 --hand 5\n\n`none` is no list. The odds are those of the best legal deck: a deck of up to 60 cards is looked for."
)]
pub(in super::super) struct Laboratory {
    /// The old list's id or file, or none
    old: String,
    /// The new list's id or file, or none
    new: String,
    /// What a hand must hold [default: what the game's players ask]
    #[arg(value_name = "QUERY")]
    queries: Vec<String>,
    /// Cards of the opening hand [default: the game's]
    #[arg(long, value_name = "N", value_parser = whole)]
    hand: Option<u32>,
    /// The turn by which the queries are to hold [default: in the opening hand]
    #[arg(long, value_name = "N", value_parser = whole, requires = "queries")]
    turn: Option<u32>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    common: Both<Both<Pool, Both<Day, Settings>>, Writing<TextAndJson<'static>>>,
}

/// What was found of a list.
struct Side {
    list: Option<Arc<Banlist>>,
    reached: Reached,
    examined: Option<Examined>,
}

impl Side {
    fn name(&self) -> String {
        let list = self.list.as_ref();
        list.map_or_else(|| "no list".to_owned(), |list| list.shown())
    }
}

impl Laboratory {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let run = &run.saying(&self.common);
        let judge = inputs::judge(run)?;
        let read = |name: &str| match name {
            "none" => Ok(None),
            name => inputs::banlist(run, name, judge.lists()).map(Some),
        };
        let (old, new) = (read(&self.old)?, read(&self.new)?);
        let format = self.format(run, &judge, old.iter().chain(&new))?;
        let game = format.format().game().id();
        for list in old.iter().chain(&new) {
            if list.game != game || !list.concerns(Some(format.format().id())) {
                return Err(Refusal(format!(
                    "{} is for {}, and not for `{}`",
                    list.shown(),
                    list.scope(),
                    format.format().id()
                )));
            }
        }
        let draws = defaults(&judge, game)?;
        let asked = Asked {
            hand: self.hand,
            ..Asked::default()
        };
        let goals: Vec<LabGoal> = match self.queries.as_slice() {
            [] => LabGoal::presets(&draws, &asked),
            queries => queries
                .iter()
                .map(|query| LabGoal {
                    query: query.clone(),
                    turn: self.turn,
                    asked: asked.clone(),
                    ..LabGoal::default()
                })
                .collect(),
        };
        let id = format.format().id();
        let lab = Lab {
            under: |list: Option<Arc<Banlist>>| {
                judge
                    .rulebook_under(id, list)
                    .map_err(|error| LabError::Rules(super::super::remedies::message(&error)))
            },
            defaults: &draws,
            taste: super::super::wishes::taste(&judge, game)?,
            goals: &goals,
            effort: self.effort.steps(),
        };
        run.threads();
        let told = |error: LabError| match error {
            LabError::Odds(error) => refuse(error),
            other => Refusal(other.to_string()),
        };
        let mut free = lab.reached(None).map_err(told)?;
        let mut examine = |list: &Option<Arc<Banlist>>| {
            let examined = list.as_ref().map(|list| lab.examine(list, &mut free));
            examined.transpose().map_err(told)
        };
        let (first, second) = (examine(&old)?, examine(&new)?);
        let side = |list: Option<Arc<Banlist>>, examined: Option<Examined>| Side {
            reached: examined
                .as_ref()
                .map_or(&free, |examined| &examined.reached)
                .clone(),
            list,
            examined,
        };
        inputs::fitting(run, &judge)?;
        let sides = [side(old, first), side(new, second)];
        let human = || in_words(run, &format, &goals, &sides);
        let json = || Ok(to_json(&format, &goals, &sides));
        let report = TextAndJson {
            human: &human,
            json: &json,
        };
        let lists = sides.iter().filter_map(|side| side.list.as_deref());
        let mut inputs = given(lists);
        inputs.extend(judge.given_so_far());
        output::emit(run, &report, &inputs)
    }

    /// The format that is named, or else the only one that the lists are for.
    fn format<'l>(
        &self,
        run: &Run,
        judge: &Judge,
        lists: impl Iterator<Item = &'l Arc<Banlist>>,
    ) -> Result<Arc<Rulebook>, Refusal> {
        let lists: Vec<_> = lists.collect();
        let own = lists.iter().find_map(|list| match list.formats.as_slice() {
            [only] => Some(only.value.clone()),
            _ => None,
        });
        let id = run.options.format.clone().or(own);
        let id = id.or_else(|| lists.first().map(|list| list.game.clone()));
        let Some(id) = id else {
            return Err(Refusal(
                "name a list, or the format with `--format`".to_owned(),
            ));
        };
        let refuse = |error| inputs::refuse(&error);
        // So that the judge knows what its settings and cards are for.
        judge.rulebook(&id).map_err(refuse)?;
        judge.rulebook_under(&id, None).map_err(refuse)
    }
}

/// What a thing is, as the list has it.
fn told(list: &Banlist, said: Said) -> String {
    let entry = |entry: &Entry| {
        let scope = match entry.sections.as_slice() {
            [] => String::new(),
            sections => format!(" in {}", sections.join(", ")),
        };
        format!("{}: {}{scope}", entry.shown(), entry.status)
    };
    match said {
        Said::Entry(at) => list.entries.get(at).map_or_else(String::new, entry),
        Said::Group(at) => list
            .groups
            .get(at)
            .map_or_else(String::new, |group| group.words()),
        Said::Change(at) => list.changes.get(at).map_or_else(String::new, |change| {
            format!("{}: {}", change.listed.shown(), change.words())
        }),
        Said::Rotation => "the sets that may be played".to_owned(),
    }
}

/// The line of the list at which a thing stands.
fn line(list: &Banlist, said: Said) -> Option<usize> {
    match said {
        Said::Entry(at) => list.entries.get(at).map(|entry| entry.line),
        Said::Group(at) => list.groups.get(at).map(|group| group.line),
        Said::Change(at) => list.changes.get(at).map(|change| change.listed.line),
        Said::Rotation => None,
    }
}

fn called(goal: &LabGoal) -> String {
    let name = goal.name.as_deref().unwrap_or(&goal.query);
    let hand = goal.asked.hand.filter(|_| goal.name.is_some());
    let hand = hand.map_or_else(String::new, |hand| format!(", hand of {hand}"));
    match goal.turn.filter(|_| goal.name.is_none()) {
        Some(turn) => format!("{name} by turn {turn}{hand}"),
        None => format!("{name}{hand}"),
    }
}

fn share(best: Option<&Best>, reach: Reach) -> String {
    match best {
        None if reach == Reach::All => "there is no legal deck".to_owned(),
        None => "no deck was found".to_owned(),
        Some(best) => {
            let mark = if best.proven { "" } else { " or more" };
            format!(
                "{}{mark}",
                format_args!("{:.2} %", 100.0 * best.probability.nearest())
            )
        }
    }
}

/// By how much the odds of a goal grow without a thing, and whether that is proven.
fn gain(effect: &Effect, reached: &Reached, goal: usize) -> Option<(f64, bool)> {
    let (more, own) = (effect.without[goal].as_ref()?, reached.best[goal].as_ref()?);
    let gain = more.probability.nearest() - own.probability.nearest();
    (gain > 0.0).then_some((gain, more.proven && own.proven))
}

fn in_words(run: &Run, format: &Rulebook, goals: &[LabGoal], sides: &[Side; 2]) -> String {
    let [old, new] = sides;
    let mut out = format!(
        "{}: from {} to {}\n\nBest odds of any legal deck\n",
        format.format().id(),
        old.name(),
        new.name()
    );
    let mut table = terminal::table(&["Hand", &old.name(), &new.name()]);
    for (at, goal) in goals.iter().enumerate() {
        let of = |side: &Side| share(side.reached.best[at].as_ref(), side.reached.reach);
        table.add_row(vec![called(goal), of(old), of(new)]);
    }
    out.push_str(&run.shown(table));
    for side in sides {
        let _ = match side.reached.reach {
            Reach::All => Ok(()),
            Reach::Sixty => writeln!(
                out,
                "Under {} larger decks are legal, too: what is said of every legal deck holds of those of up to 60 cards.",
                side.name()
            ),
            Reach::Some => writeln!(
                out,
                "Under {} not every legal deck was looked at: what is said of the best is not proven.",
                side.name()
            ),
        };
    }
    for side in sides {
        let (Some(list), Some(examined)) = (&side.list, &side.examined) else {
            continue;
        };
        let _ = writeln!(out, "\n{}", side.name());
        for (at, goal) in goals.iter().enumerate() {
            let mut costs: Vec<(f64, bool, &Effect)> = examined
                .effects
                .iter()
                .filter_map(|effect| {
                    gain(effect, &side.reached, at).map(|(gain, proven)| (gain, proven, effect))
                })
                .collect();
            costs.sort_by(|one, other| other.0.total_cmp(&one.0));
            let Some((most, proven, effect)) = costs.first() else {
                let _ = writeln!(
                    out,
                    "  {}: nothing on it costs anything by itself",
                    called(goal)
                );
                continue;
            };
            let mark = if *proven { "" } else { ", not proven" };
            let _ = writeln!(
                out,
                "  {}: {} costs most, {} points{mark}",
                called(goal),
                told(list, effect.said),
                format_args!("{:.2}", 100.0 * most)
            );
            for (less, proven, effect) in &costs[1..] {
                let mark = if *proven { "" } else { ", not proven" };
                let _ = writeln!(
                    out,
                    "    {}: {} points{mark}",
                    told(list, effect.said),
                    format_args!("{:.2}", 100.0 * less)
                );
            }
        }
        let of = |wanted: fn(&Binds) -> bool| -> Vec<&Effect> {
            let all = examined.effects.iter();
            all.filter(|effect| wanted(&effect.binds)).collect()
        };
        for (title, effects) in [
            ("Never binds", of(|binds| matches!(binds, Binds::Never))),
            (
                "Not known whether it binds",
                of(|binds| matches!(binds, Binds::NotKnown)),
            ),
        ] {
            for effect in effects {
                let at = line(list, effect.said);
                let at = at.map_or_else(String::new, |line| format!(" (line {line})"));
                let _ = writeln!(out, "  {title}: {}{at}", told(list, effect.said));
            }
        }
        for (title, cards) in [
            ("in no legal deck", &examined.unfit),
            (
                "of which it is not known whether a legal deck has them",
                &examined.unsure,
            ),
        ] {
            if !cards.is_empty() {
                let names: Vec<&str> = names(format, cards);
                let _ = writeln!(
                    out,
                    "  {} {title}: {}",
                    counted(cards.len() as i64, "card"),
                    names.join(", ")
                );
            }
        }
    }
    harmless(&out, true).into_owned()
}

/// The names of cards, of the pool that all lists share.
fn names<'f>(format: &'f Rulebook, cards: &[CardId]) -> Vec<&'f str> {
    let pool = format.pool();
    cards.iter().map(|card| pool.name(*card)).collect()
}

fn to_json(format: &Rulebook, goals: &[LabGoal], sides: &[Side; 2]) -> Value {
    let fraction = |fraction: &Fraction| json!({"probability": fraction.nearest(), "fraction": fraction.to_string()});
    let best = |best: &Option<Best>| match best {
        None => Value::Null,
        Some(best) => {
            let mut told = fraction(&best.probability);
            told["optimal"] = json!(best.proven);
            told["deck"] = deck(&best.deck);
            told
        }
    };
    let goal = |goal: &LabGoal| json!({"query": goal.query, "name": goal.name, "turn": goal.turn, "hand": goal.asked.hand});
    let side = |side: &Side| {
        let reach = match side.reached.reach {
            Reach::All => "all",
            Reach::Sixty => "up-to-60",
            Reach::Some => "some",
        };
        let mut told = json!({
            "list": side.list.as_ref().map(|list| list.shown()),
            "decks": reach,
            "best": side.reached.best.iter().map(best).collect::<Vec<_>>(),
        });
        if let (Some(list), Some(examined)) = (&side.list, &side.examined) {
            let effect = |effect: &Effect| {
                let without = effect.without.iter().map(|best| {
                    best.as_ref().map(|best| {
                        let mut told = fraction(&best.probability);
                        told["optimal"] = json!(best.proven);
                        told
                    })
                });
                json!({
                    "says": self::told(list, effect.said),
                    "line": line(list, effect.said),
                    "binds": match effect.binds {
                        Binds::Yes(_) => json!(true),
                        Binds::Never => json!(false),
                        Binds::NotKnown => Value::Null,
                    },
                    "breaks": match &effect.binds {
                        Binds::Yes(breaks) => deck(breaks),
                        _ => Value::Null,
                    },
                    "without": without.collect::<Vec<_>>(),
                })
            };
            told["effects"] = examined.effects.iter().map(effect).collect();
            told["unfit"] = json!(names(format, &examined.unfit));
            told["unsure"] = json!(names(format, &examined.unsure));
        }
        told
    };
    json!({
        "schema": "decklaw/banlist-lab/1",
        "format": format.format().id(),
        "queries": goals.iter().map(goal).collect::<Vec<_>>(),
        "old": side(&sides[0]),
        "new": side(&sides[1]),
    })
}

/// A deck, its cards by section.
fn deck(deck: &Decklist) -> Value {
    let sections = deck.listing().sections.into_iter();
    let each = sections.map(|(id, cards)| {
        let cards: Vec<Value> = cards
            .into_iter()
            .map(|(count, name)| json!({"count": count, "name": name}))
            .collect();
        (id.to_string(), Value::from(cards))
    });
    Value::Object(each.collect())
}
