//! A small checker of pseudo-Boolean proofs: as much of VeriPB's format as decklaw writes, read
//! from the format's description and knowing nothing of decklaw. Where VeriPB itself is there
//! (`DECKLAW_VERIPB` or on the path), it has to agree.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A literal: a variable, and whether it is the variable itself or its opposite.
type Literal = (usize, bool);

/// Positive factors times literals come to at least so much.
#[derive(Debug, Clone, Default)]
struct Constraint {
    terms: BTreeMap<usize, (i128, bool)>,
    least: i128,
}

impl Constraint {
    fn add_term(&mut self, factor: i128, (variable, is_it): Literal) {
        let (mut by, mut sign) = (factor, is_it);
        if by < 0 {
            (by, sign) = (-by, !sign);
            self.least += by;
        }
        match self.terms.remove(&variable) {
            None => drop(self.terms.insert(variable, (by, sign))),
            Some((own, side)) if side == sign => {
                self.terms.insert(variable, (own + by, sign));
            }
            Some((own, side)) => {
                // x and not x are 1 together.
                self.least -= own.min(by);
                if own != by {
                    let rest = (own - by).abs();
                    let sign = if own > by { side } else { sign };
                    self.terms.insert(variable, (rest, sign));
                }
            }
        }
        self.terms.retain(|_, (by, _)| *by != 0);
    }

    fn plus(&self, other: &Constraint) -> Constraint {
        let mut sum = self.clone();
        sum.least += other.least;
        for (variable, (by, sign)) in &other.terms {
            sum.add_term(*by, (*variable, *sign));
        }
        sum
    }

    fn times(&self, by: i128) -> Constraint {
        let mut product = self.clone();
        product.least *= by;
        product.terms.values_mut().for_each(|(own, _)| *own *= by);
        product
    }

    fn divided(&self, by: i128) -> Constraint {
        let up = |number: i128| (number + by - 1).div_euclid(by);
        let mut quotient = self.clone();
        quotient.least = up(self.least.max(0));
        quotient.terms.values_mut().for_each(|(own, _)| *own = up(*own));
        quotient
    }

    fn saturated(&self) -> Constraint {
        let mut sum = self.clone();
        sum.least = sum.least.max(0);
        let most = sum.least;
        sum.terms.values_mut().for_each(|(own, _)| *own = (*own).min(most));
        sum.terms.retain(|_, (own, _)| *own > 0);
        sum
    }

    fn opposite(&self) -> Constraint {
        let total: i128 = self.terms.values().map(|(by, _)| by).sum();
        let mut opposite = self.clone();
        opposite.least = total - self.least + 1;
        opposite.terms.values_mut().for_each(|(_, sign)| *sign = !*sign);
        opposite
    }

    /// Whether another follows by weakening terms alone.
    fn implies(&self, other: &Constraint) -> bool {
        let mut least = self.least;
        for (variable, (by, sign)) in &self.terms {
            let same = other.terms.get(variable).filter(|(_, own)| own == sign);
            least -= (by - same.map_or(0, |(own, _)| *own)).max(0);
        }
        least >= other.least
    }

    fn with(&self, variable: usize, value: bool) -> Constraint {
        let mut set = self.clone();
        if let Some((by, sign)) = set.terms.remove(&variable)
            && sign == value
        {
            set.least -= by;
        }
        set
    }

    fn holds(&self, values: &BTreeMap<usize, bool>) -> bool {
        let met = |(variable, (by, sign)): (&usize, &(i128, bool))| {
            if values.get(variable) == Some(sign) { *by } else { 0 }
        };
        self.terms.iter().map(met).sum::<i128>() >= self.least
    }
}

/// What is known, with all that follows from each constraint alone.
#[derive(Default)]
struct Known {
    constraints: Vec<Constraint>,
    /// The constraints of each variable.
    of: Vec<Vec<usize>>,
    values: Vec<Option<bool>>,
    impossible: bool,
}

impl Known {
    fn add(&mut self, constraint: Constraint) {
        let at = self.constraints.len();
        for variable in constraint.terms.keys() {
            if self.of.len() <= *variable {
                self.of.resize(variable + 1, Vec::new());
                self.values.resize(variable + 1, None);
            }
            self.of[*variable].push(at);
        }
        self.constraints.push(constraint);
        let mut values = std::mem::take(&mut self.values);
        self.impossible |= !self.follow(&mut values, &[], vec![at]);
        self.values = values;
    }

    /// Follows what some constraints, and those known, make of variables; whether it is possible.
    /// Further constraints are numbered behind the known ones.
    fn follow(
        &self,
        values: &mut Vec<Option<bool>>,
        further: &[&Constraint],
        mut waiting: Vec<usize>,
    ) -> bool {
        let known = self.constraints.len();
        while let Some(at) = waiting.pop() {
            let constraint = match at.checked_sub(known) {
                Some(further_at) => further[further_at],
                None => &self.constraints[at],
            };
            let open = |(variable, (by, sign)): (&usize, &(i128, bool))| match values
                .get(*variable)
                .copied()
                .flatten()
            {
                Some(value) if value != *sign => 0,
                _ => *by,
            };
            let slack = constraint.terms.iter().map(open).sum::<i128>() - constraint.least;
            if slack < 0 {
                return false;
            }
            for (variable, (by, sign)) in &constraint.terms {
                if values.len() <= *variable {
                    values.resize(variable + 1, None);
                }
                if *by > slack && values[*variable].is_none() {
                    values[*variable] = Some(*sign);
                    waiting.extend(self.of.get(*variable).into_iter().flatten());
                    waiting.extend(known..known + further.len());
                }
            }
        }
        true
    }

    /// Whether constraints contradict what is known.
    fn contradicts(&self, further: &[&Constraint]) -> bool {
        let all = self.constraints.len()..self.constraints.len() + further.len();
        self.impossible || !self.follow(&mut self.values.clone(), further, all.collect())
    }
}

#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    fn literal(&mut self, word: &str) -> Literal {
        let name = word.trim_start_matches('~');
        let next = self.0.len();
        let at = *self.0.entry(name.to_owned()).or_insert(next);
        (at, !word.starts_with('~'))
    }

    /// `2 x -3 ~y >= 4`.
    fn constraint(&mut self, text: &str) -> Result<Constraint, String> {
        let (sum, least) = text.split_once(">=").ok_or("no >=")?;
        let mut constraint = Constraint {
            least: least.trim().parse().map_err(|_| "no number")?,
            ..Constraint::default()
        };
        for (factor, literal) in self.terms(sum)? {
            constraint.add_term(factor, literal);
        }
        Ok(constraint)
    }

    fn terms(&mut self, sum: &str) -> Result<Vec<(i128, Literal)>, String> {
        let words: Vec<&str> = sum.split_whitespace().collect();
        let pair = |pair: &[&str]| match pair {
            [factor, name] => {
                let factor = factor.parse().map_err(|_| format!("no factor: {factor}"))?;
                Ok((factor, self.literal(name)))
            }
            _ => Err("a factor without a literal".to_owned()),
        };
        words.chunks(2).map(pair).collect()
    }
}

/// Checks a proof of an instance, and says what it proves: `UNSAT`, or the smallest value.
pub(crate) fn checked(instance: &str, proof: &str) -> Result<String, String> {
    let mut names = Names::default();
    let mut objective = Vec::new();
    let mut known = Known::default();
    for line in instance.lines().filter(|line| !line.starts_with('*')) {
        let line = line.trim().trim_end_matches(';').trim();
        match line.strip_prefix("min:") {
            Some(sum) => objective = names.terms(sum)?,
            None => known.add(names.constraint(line)?),
        }
    }
    let value = |values: &BTreeMap<usize, bool>| -> i128 {
        let own = objective.iter().filter(|(_, (at, sign))| values.get(at) == Some(sign));
        own.map(|(by, _)| by).sum()
    };
    let all = known.constraints.clone();
    let solution = |names: &mut Names, words: &str| -> Result<i128, String> {
        let values: BTreeMap<usize, bool> =
            words.split_whitespace().map(|word| names.literal(word)).collect();
        let holds = all.iter().all(|constraint| constraint.holds(&values));
        match holds {
            true => Ok(value(&values)),
            false => Err("no solution".to_owned()),
        }
    };
    let mut lines = proof.lines();
    if lines.next() != Some("pseudo-Boolean proof version 3.0") {
        return Err("no proof".to_owned());
    }
    let mut conclusion = None;
    for line in lines {
        let line = line.trim().trim_end_matches(';').trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let get = |id: &str| -> Result<Constraint, String> {
            let at: usize = id.parse().map_err(|_| format!("no constraint: {id}"))?;
            let found = at.checked_sub(1).and_then(|at| known.constraints.get(at));
            found.cloned().ok_or(format!("{id} is not there"))
        };
        let made = match word {
            "f" => match rest.parse::<usize>() {
                Ok(number) if number == known.constraints.len() => continue,
                _ => return Err("another instance".to_owned()),
            },
            "soli" => {
                let found = solution(&mut names, rest)?;
                let mut better = Constraint { least: 1 - found, ..Constraint::default() };
                for (by, literal) in &objective {
                    better.add_term(-by, *literal);
                }
                better
            }
            "pol" => {
                let mut stack: Vec<Constraint> = Vec::new();
                let mut number: Option<i128> = None;
                let words: Vec<&str> = rest.split_whitespace().collect();
                for (at, word) in words.iter().enumerate() {
                    let is_operand = matches!(words.get(at + 1), Some(&"*" | &"d"));
                    let pop = |stack: &mut Vec<Constraint>| stack.pop().ok_or("an empty stack");
                    match *word {
                        "+" => {
                            let (one, other) = (pop(&mut stack)?, pop(&mut stack)?);
                            stack.push(one.plus(&other));
                        }
                        "*" => {
                            let by = number.take().ok_or("no number")?;
                            let own = pop(&mut stack)?;
                            stack.push(own.times(by));
                        }
                        "d" => {
                            let by = number.take().ok_or("no number")?;
                            let own = pop(&mut stack)?;
                            stack.push(own.divided(by));
                        }
                        "s" => {
                            let own = pop(&mut stack)?;
                            stack.push(own.saturated());
                        }
                        operand if is_operand => {
                            let by: i128 = operand.parse().map_err(|_| "no number")?;
                            if by < 1 {
                                return Err("a multiplier below 1".to_owned());
                            }
                            number = Some(by);
                        }
                        id => stack.push(get(id)?),
                    }
                }
                match (stack.pop(), stack.is_empty()) {
                    (Some(sum), true) => sum,
                    _ => return Err(format!("no sum: {line}")),
                }
            }
            "rup" => {
                let (text, hints) = rest.split_once(':').unwrap_or((rest, ""));
                let constraint = names.constraint(text)?;
                let opposite = constraint.opposite();
                let hinted: Result<Vec<Constraint>, String> =
                    hints.split_whitespace().filter(|id| *id != "~").map(get).collect();
                let hinted = hinted?;
                let follows = match hinted.is_empty() {
                    true => known.contradicts(&[&opposite]),
                    false => {
                        let mut with: Vec<&Constraint> = vec![&opposite];
                        with.extend(&hinted);
                        Known::default().contradicts(&with)
                    }
                };
                if !follows {
                    return Err(format!("does not follow: {line}"));
                }
                constraint
            }
            "red" => {
                let (text, witness) = rest.split_once(':').ok_or("no witness")?;
                let constraint = names.constraint(text)?;
                let (name, to) = witness.split_once("->").ok_or("no witness")?;
                let (variable, _) = names.literal(name.trim());
                let to = to.trim() == "1";
                let opposite = constraint.opposite();
                let own = known.of.get(variable).into_iter().flatten();
                let goals = own.map(|at| &known.constraints[*at]);
                for goal in goals.chain([&constraint]) {
                    let goal = goal.with(variable, to);
                    let follows = opposite.implies(&goal)
                        || known.contradicts(&[&opposite, &goal.opposite()]);
                    if !follows {
                        return Err(format!("not redundant: {line}"));
                    }
                }
                constraint
            }
            "output" => continue,
            "conclusion" => {
                let mut words = rest.split_whitespace();
                let kind = words.next().unwrap_or_default();
                let lower = if kind == "BOUNDS" { words.next() } else { None };
                let id = words.nth(1).ok_or("no line")?;
                let nothing = get(id)?;
                if nothing.saturated().terms.values().map(|(by, _)| by).sum::<i128>()
                    >= nothing.least
                {
                    return Err("no contradiction".to_owned());
                }
                let says = match lower {
                    None => "UNSAT".to_owned(),
                    Some(lower) => {
                        let upper = words.next().ok_or("no bound")?;
                        let values: Vec<&str> = words.skip(1).collect();
                        let own = solution(&mut names, &values.join(" "))?;
                        if lower != upper || own.to_string() != lower {
                            return Err("another value".to_owned());
                        }
                        lower.to_owned()
                    }
                };
                conclusion = Some(says);
                continue;
            }
            "end" => return conclusion.ok_or("no conclusion".to_owned()),
            other => return Err(format!("no rule: {other}")),
        };
        known.add(made);
    }
    Err("no end".to_owned())
}

/// What VeriPB itself says, where it is there.
pub(crate) fn by_veripb(folder: &Path, instance: &str, proof: &str) -> Option<bool> {
    let program = std::env::var_os("DECKLAW_VERIPB").unwrap_or_else(|| "veripb".into());
    let (one, other) = (folder.join("i.opb"), folder.join("p.pbp"));
    std::fs::write(&one, instance).unwrap();
    std::fs::write(&other, proof).unwrap();
    let came = Command::new(program).args([one, other]).output().ok()?;
    Some(came.status.success() && String::from_utf8_lossy(&came.stdout).contains("s VERIFIED"))
}
