//! `decklaw banlist import`: lists as others publish them, with cards by their numbers.

use super::super::output::{self, Text};
use super::super::{Answer, Refusal, Run, inputs};
use crate::banlist::{CodedList, Date, NumberedList, coded_lists, numbered_lists};
use crate::text::{counted, listed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The copies of a card that a game allows, where nobody says.
const COPIES: u32 = 3;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  decklaw banlist import lflist.conf --game yugioh --effective 2026-04-01 --to list.yaml\n  decklaw banlist import taboos.json --game arkham --field xp=chained --field exceptional=exceptional --to list.yaml"
)]
pub(in super::super) struct Import {
    /// The file
    file: PathBuf,
    /// Which of its lists, by name or code; without it the first, and of dated ones the latest
    #[arg(long, value_name = "NAME")]
    list: Option<String>,
    /// The game that it is for
    #[arg(long, value_name = "GAME")]
    game: String,
    /// The first day on which it applies, where the file does not say it
    #[arg(long, value_name = "YYYY-MM-DD")]
    effective: Option<Date>,
    /// How many copies the game itself allows: cards with as many are not limited [default: 3]
    #[arg(long, value_name = "N")]
    copies: Option<u32>,
    /// The field of the game that takes what the list says of cards by this key; none: it is left out
    #[arg(long = "field", value_name = "KEY=[FIELD]")]
    fields: Vec<String>,
}

impl Import {
    pub(in super::super) fn run(&self, run: &Run) -> Answer {
        let name = self.file.display().to_string();
        let bytes = inputs::read_file(run, &self.file)?;
        let text = crate::yaml::text_of(&name, &bytes).map_err(|error| inputs::explain(&error))?;
        let (yaml, told) = match text.trim_start().starts_with(['[', '{']) {
            true => self.coded(run, text),
            false => self.numbered(run, text),
        }
        .map_err(|why| Refusal(run.tame(&format!("{name}: {why}"))))?;
        for told in told {
            run.complain("note", &format!("{name}: {told}"));
        }
        output::emit(run, &Text::from(yaml), &[])
    }

    fn id(&self, effective: Date) -> String {
        format!("{}-{effective}", self.game)
    }

    /// A list of numbers and copies.
    fn numbered(&self, run: &Run, text: &str) -> Result<(String, Vec<String>), String> {
        if !self.fields.is_empty() {
            return Err(
                "this list says copies alone, so nothing of it is for `--field`".to_owned(),
            );
        }
        let lists = numbered_lists(text)?;
        let named = |list: &NumberedList| vec![list.name.clone()];
        let list = self.chosen(run, &lists, named)?;
        let Some(effective) = self.effective else {
            return Err(
                "it does not say since when it applies; give `--effective YYYY-MM-DD`".to_owned(),
            );
        };
        let copies = self.copies.unwrap_or(COPIES);
        let (yaml, unlimited) = list.to_yaml(&self.game, &self.id(effective), effective, copies);
        let told = (unlimited > 0).then(|| {
            let cards = counted(unlimited as i64, "card");
            format!("{cards} left out, which may have {copies} copies or more")
        });
        Ok((yaml, told.into_iter().collect()))
    }

    /// A list of codes, and of what becomes of the cards.
    fn coded(&self, run: &Run, text: &str) -> Result<(String, Vec<String>), String> {
        if self.copies.is_some() {
            return Err(
                "this list names only the cards that it limits, so `--copies` says nothing of it"
                    .to_owned(),
            );
        }
        let lists = coded_lists(text)?;
        let named = |list: &CodedList| vec![list.code.clone(), list.date.to_string()];
        let list = self.chosen(run, &lists, named)?;
        let mut fields = BTreeMap::new();
        for given in &self.fields {
            let Some((key, field)) = given.split_once('=') else {
                return Err(format!(
                    "`--field {given}`: a field is given as KEY=FIELD, as in `xp=chained`"
                ));
            };
            let field = Some(field.trim().to_owned()).filter(|field| !field.is_empty());
            if fields.insert(key.trim().to_owned(), field).is_some() {
                return Err(format!(
                    "`--field {key}=…` is given twice; keep the one that you mean"
                ));
            }
        }
        let effective = self.effective.unwrap_or(list.date);
        list.to_yaml(&self.game, &self.id(effective), effective, &fields)
    }

    /// One of the lists of a file: that of a name, or the first, and then what others there are is
    /// told. A list's first name is shown.
    fn chosen<'l, L>(
        &self,
        run: &Run,
        all: &'l [L],
        names: impl Fn(&L) -> Vec<String>,
    ) -> Result<&'l L, String> {
        let named = self.list.as_deref();
        let found = match named {
            None => all.first(),
            Some(named) => all
                .iter()
                .find(|list| names(list).iter().any(|name| name == named)),
        };
        let shown = |list: &L| format!("`{}`", names(list).first().map_or("", String::as_str));
        let each: Vec<String> = all.iter().map(shown).collect();
        let each = listed(&each, "and");
        let Some(found) = found else {
            let named = named.unwrap_or_default();
            return Err(format!("there is no list `{named}` in it; there is {each}"));
        };
        if named.is_none() && all.len() > 1 {
            let message = format!(
                "{}: {} of the lists {each}",
                Path::display(&self.file),
                shown(found)
            );
            run.complain("note", &run.tame(&message));
        }
        Ok(found)
    }
}
