//! Random formats: made, and written as a format file and a card file.

use super::list::{List, SETS};
use super::{
    Amount, CHOICES, Card, KINDS, Kind, Query, Range, Relation, Rule, SECTIONS, TRAITS, Test, World,
};
use crate::random::Random;

impl Query {
    pub(super) fn random(random: &mut Random) -> Query {
        match random.below(6) {
            0 => Query::Kind(word(random, &KINDS)),
            1 => Query::NotKind(word(random, &KINDS)),
            2 => Query::Trait(word(random, &TRAITS)),
            3 => Query::CostFrom(random.below(4) as i64),
            _ => Query::All,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Query::All => String::new(),
            Query::Kind(kind) => format!("kind:{kind}"),
            Query::NotKind(kind) => format!("-kind:{kind}"),
            Query::Trait(word) => format!("traits:{word}"),
            Query::CostFrom(least) => format!("cost>={least}"),
            Query::Chosen => "kind:$grove".to_owned(),
            Query::NotChosen => "-kind:$grove".to_owned(),
            Query::CostChosen => "cost>=$depth".to_owned(),
        }
    }
}

impl Query {
    /// Asks for what the deck declares instead, so often.
    fn choose(&mut self, random: &mut Random, percent: usize) {
        if random.percent(percent) {
            *self = random
                .pick(&[Query::Chosen, Query::NotChosen, Query::CostChosen])
                .clone();
        }
    }
}

impl Amount {
    fn choose(&mut self, random: &mut Random) {
        match self {
            Amount::Sum(parts) => parts.iter_mut().for_each(|part| part.choose(random)),
            Amount::Cards { cards, .. } => cards.choose(random, 15),
            Amount::Number(_) if random.percent(30) => *self = Amount::Chosen,
            Amount::Number(_) | Amount::Own { .. } | Amount::Chosen => {}
        }
    }
}

impl Range {
    fn choose(&mut self, random: &mut Random) {
        let all = [&mut self.min, &mut self.max, &mut self.exactly];
        for amount in all.into_iter().flatten() {
            amount.choose(random);
        }
    }
}

impl Kind {
    /// Asks for what the deck declares, here and there.
    fn choose(&mut self, random: &mut Random) {
        match self {
            Kind::Accept(_, query) | Kind::Avoid(_, query) | Kind::Matching(_, query, _) => {
                query.choose(random, 30);
            }
            Kind::Size(_, query, range, _)
            | Kind::Distinct(_, query, _, range)
            | Kind::Values(_, query, _, _, range) => {
                query.choose(random, 20);
                range.choose(random);
            }
            Kind::Total { cards, range, .. } => {
                cards.choose(random, 20);
                range.choose(random);
            }
            Kind::Copies { cards, max, .. } => {
                cards.choose(random, 20);
                max.choose(random);
            }
            Kind::Disjoint(..) | Kind::Permitted(..) | Kind::Choice { .. } => {}
        }
    }
}

fn word(random: &mut Random, words: &[&'static str]) -> &'static str {
    let chosen: &&'static str = random.pick(words);
    chosen
}

fn some_sections(random: &mut Random) -> Vec<usize> {
    random
        .pick(&[
            vec![0],
            vec![1],
            vec![1],
            vec![1],
            vec![2],
            vec![1, 2],
            vec![0, 1, 2],
        ])
        .clone()
}

impl Amount {
    fn random(random: &mut Random, own: bool) -> Amount {
        let number = |random: &mut Random| random.below(6) as i64;
        let maybe = |random: &mut Random, chance: usize| {
            let value = number(random);
            random.percent(chance).then_some(value)
        };
        match random.below(8) {
            0..=2 => Amount::Number(number(random)),
            3 if own => Amount::Own {
                field: "limit",
                otherwise: maybe(random, 40),
            },
            4 if random.percent(50) => {
                Amount::Sum(vec![Amount::random(random, own), Amount::Number(1)])
            }
            _ => {
                let field = *random.pick(&[None, Some("cost"), Some("limit")]);
                Amount::Cards {
                    base: maybe(random, 50),
                    of: random
                        .pick(&[vec![0], vec![0], vec![1], vec![2], vec![1, 2]])
                        .clone(),
                    field,
                    cards: if random.percent(40) {
                        Query::random(random)
                    } else {
                        Query::All
                    },
                    per: *random.pick(&[1, 1, 2, 3]),
                    round: word(random, &["down", "up", "nearest"]),
                    times: *random.pick(&[1, 1, 1, 2, -1]),
                    otherwise: if field.is_some() {
                        maybe(random, 40)
                    } else {
                        None
                    },
                }
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Amount::Number(number) => number.to_string(),
            Amount::Chosen => "depth".to_owned(),
            Amount::Own { field, otherwise } => {
                let otherwise =
                    otherwise.map_or(String::new(), |number| format!(", else: {number}"));
                format!("{{field: {field}{otherwise}}}")
            }
            Amount::Sum(parts) => {
                let parts: Vec<String> = parts.iter().map(Amount::text).collect();
                format!("[{}]", parts.join(", "))
            }
            Amount::Cards {
                base,
                of,
                field,
                cards,
                per,
                round,
                times,
                otherwise,
            } => {
                let mut keys = vec![format!("of: {}", sections(of))];
                keys.extend(base.map(|base| format!("base: {base}")));
                keys.extend(field.map(|field| format!("field: {field}")));
                if *cards != Query::All {
                    keys.push(format!("cards: '{}'", cards.text()));
                }
                keys.push(format!("per: {per}, round: {round}, times: {times}"));
                keys.extend(otherwise.map(|number| format!("else: {number}")));
                format!("{{{}}}", keys.join(", "))
            }
        }
    }
}

impl Range {
    fn random(random: &mut Random, one_of: bool) -> Range {
        let mut range = Range {
            min: None,
            max: None,
            exactly: None,
        };
        match random.below(5) {
            0 => range.exactly = Some(Amount::random(random, false)),
            1 => range.min = Some(Amount::random(random, false)),
            2 => {
                range.min = Some(Amount::random(random, false));
                range.max = Some(Amount::random(random, false));
            }
            3 if one_of => {}
            _ => range.max = Some(Amount::random(random, false)),
        }
        range
    }

    fn keys(&self) -> String {
        let all = [
            ("min", &self.min),
            ("max", &self.max),
            ("exactly", &self.exactly),
        ];
        let given = all
            .iter()
            .filter_map(|(key, amount)| Some((key, amount.as_ref()?)));
        given
            .map(|(key, amount)| format!(", {key}: {}", amount.text()))
            .collect()
    }
}

impl Relation {
    fn random(random: &mut Random, together: bool) -> Relation {
        let alone = !together && random.percent(50);
        Relation {
            by: if alone {
                vec![0]
            } else {
                random.pick(&[vec![0], vec![0, 2]]).clone()
            },
            alone,
            field: *random.pick(&[Some("kind"), Some("traits")]),
            among: word(random, &["kind", "traits", "traits"]),
            all: random.percent(40),
        }
    }

    fn by(&self) -> String {
        match self.alone {
            true => SECTIONS[self.by[0]].to_owned(),
            false => sections(&self.by),
        }
    }

    fn mode(&self) -> &'static str {
        if self.all { "all" } else { "any" }
    }
}

fn sections(sections: &[usize]) -> String {
    let names: Vec<&str> = sections.iter().map(|section| SECTIONS[*section]).collect();
    format!("[{}]", names.join(", "))
}

fn cards(query: &Query) -> String {
    match query {
        Query::All => String::new(),
        query => format!(", cards: '{}'", query.text()),
    }
}

impl Kind {
    fn random(random: &mut Random) -> Kind {
        let sections = some_sections(random);
        let query = Query::random(random);
        let by: Vec<&'static str> = random
            .pick(&[
                vec![],
                vec![],
                vec!["title"],
                vec!["name", "title"],
                vec!["kind"],
                vec!["traits"],
                vec!["cost"],
            ])
            .clone();
        match random.below(14) {
            0 => Kind::Accept(random.below(3), query),
            1 => Kind::Avoid(sections, query),
            2 => Kind::Disjoint(vec![2], vec![1]),
            3 | 4 => {
                let one_of = random.percent(25);
                let range = Range::random(random, one_of);
                let bare = range.min.is_none() && range.max.is_none() && range.exactly.is_none();
                Kind::Size(
                    sections,
                    query,
                    range,
                    if bare { vec![0, 4] } else { vec![] },
                )
            }
            5 | 6 => Kind::Copies {
                sections,
                cards: query,
                by,
                max: Amount::random(random, true),
                weight: random.percent(20),
                also_in: random.percent(20).then_some(0),
            },
            7 => Kind::Distinct(sections, query, by, Range::random(random, false)),
            8 => {
                let field = *random.pick(&["kind", "traits", "cost", "title"]);
                let least = *random.pick(&[1, 1, 2, 3]);
                Kind::Values(sections, query, field, least, Range::random(random, false))
            }
            9..=11 => {
                let field = random.percent(70);
                let matched = random.percent(50).then(|| {
                    let mut relation = Relation::random(random, true);
                    if random.percent(30) {
                        relation.field = None;
                    }
                    let then = *random.pick(&[(0, 0), (0, 0), (1, 0), (2, 1)]);
                    let otherwise = *random.pick(&[(1, 0), (1, 0), (1, 2), (0, 0)]);
                    (relation, then, otherwise)
                });
                Kind::Total {
                    sections,
                    cards: query,
                    field,
                    price: (!field || random.percent(20)).then_some(1),
                    per_card: random.percent(25),
                    matched,
                    range: Range::random(random, false),
                }
            }
            12 => Kind::Matching(sections, query, Relation::random(random, false)),
            _ => {
                let mut relation = Relation::random(random, false);
                relation.field = None;
                Kind::Permitted(sections, relation)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Kind::Accept(section, query) => format!(
                "accept: {{section: {}, cards: '{}', because: b}}",
                SECTIONS[*section],
                query.text()
            ),
            Kind::Avoid(of, query) => {
                format!(
                    "avoid: {{sections: {}, cards: '{}', because: b}}",
                    sections(of),
                    query.text()
                )
            }
            Kind::Disjoint(of, from) => {
                format!(
                    "disjoint: {{sections: {}, from: {}}}",
                    sections(of),
                    sections(from)
                )
            }
            Kind::Size(of, query, range, one_of) => {
                let one_of = match one_of.is_empty() {
                    true => String::new(),
                    false => format!(", one-of: {one_of:?}"),
                };
                format!(
                    "size: {{sections: {}{}{}{one_of}}}",
                    sections(of),
                    cards(query),
                    range.keys()
                )
            }
            Kind::Copies {
                sections: of,
                cards: query,
                by,
                max,
                weight,
                also_in,
            } => {
                let weight = if *weight { ", weight: cost" } else { "" };
                let also =
                    also_in.map_or(String::new(), |at| format!(", also-in: {}", SECTIONS[at]));
                format!(
                    "copies: {{sections: {}{}, by: [{}], max: {}{weight}{also}}}",
                    sections(of),
                    cards(query),
                    by.join(", "),
                    max.text()
                )
            }
            Kind::Distinct(of, query, by, range) => format!(
                "distinct: {{sections: {}{}, by: [{}]{}}}",
                sections(of),
                cards(query),
                by.join(", "),
                range.keys()
            ),
            Kind::Values(of, query, field, least, range) => format!(
                "values: {{sections: {}{}, field: {field}, with-at-least: {least}{}}}",
                sections(of),
                cards(query),
                range.keys()
            ),
            Kind::Total {
                sections: of,
                cards: query,
                field,
                price,
                per_card,
                matched,
                range,
            } => {
                let mut keys = String::new();
                if *field {
                    keys += ", field: cost";
                }
                if let Some(price) = price {
                    keys += &format!(", price: {price}");
                }
                if *per_card {
                    keys += ", per: card";
                }
                if let Some((relation, then, otherwise)) = matched {
                    let how = match relation.field {
                        Some(field) => format!("field: {field}, among: {}", relation.among),
                        None => "permits: allows".to_owned(),
                    };
                    let price =
                        |(times, plus): &(i64, i64)| format!("{{times: {times}, plus: {plus}}}");
                    keys += &format!(
                        ", matched: {{by: {}, {how}, mode: {}, then: {}, else: {}}}",
                        sections(&relation.by),
                        relation.mode(),
                        price(then),
                        price(otherwise)
                    );
                }
                format!(
                    "total: {{sections: {}{}{keys}{}}}",
                    sections(of),
                    cards(query),
                    range.keys()
                )
            }
            Kind::Matching(of, query, relation) => format!(
                "matching: {{sections: {}{}, field: {}, by: {}, among: {}, mode: {}}}",
                sections(of),
                cards(query),
                relation.field.unwrap_or("kind"),
                relation.by(),
                relation.among,
                relation.mode()
            ),
            Kind::Choice {
                of,
                among,
                offered,
                unlike,
                never,
            } => {
                let mut keys = format!("of: {}", CHOICES[*of].0);
                if !among.is_empty() {
                    keys += &format!(", among: [{}]", among.join(", "));
                }
                if *offered {
                    let field = if *of == 2 { "cost" } else { "kind" };
                    keys += &format!(", offered: {{by: [hero], field: {field}}}");
                }
                if let Some(other) = unlike {
                    keys += &format!(", unlike: [{}]", CHOICES[*other].0);
                }
                if *never {
                    keys += ", never: true";
                }
                format!("choice: {{{keys}}}")
            }
            Kind::Permitted(of, relation) => format!(
                "permitted: {{sections: {}, by: {}, field: allows, mode: {}}}",
                sections(of),
                relation.by(),
                relation.mode()
            ),
        }
    }
}

impl Test {
    fn random(random: &mut Random) -> Test {
        let (least, most) = *random.pick(&[
            (Some(1), None),
            (Some(2), None),
            (None, Some(0)),
            (None, Some(1)),
            (Some(1), Some(2)),
        ]);
        Test {
            choice: None,
            sections: some_sections(random),
            cards: Query::random(random),
            least,
            most,
        }
    }

    fn text(&self) -> String {
        if let Some((choice, value)) = self.choice {
            let is = value.map_or(String::new(), |value| format!(", is: [{value}]"));
            return format!("{{choice: {}{is}}}", CHOICES[choice].0);
        }
        let least = self
            .least
            .map_or(String::new(), |least| format!(", at-least: {least}"));
        let most = self
            .most
            .map_or(String::new(), |most| format!(", at-most: {most}"));
        format!(
            "{{sections: {}{}{least}{most}}}",
            sections(&self.sections),
            cards(&self.cards)
        )
    }
}

impl Rule {
    fn random(random: &mut Random) -> Rule {
        let conditions = match random.below(10) {
            0..=1 => vec![vec![Test::random(random)]],
            2 => vec![vec![Test::random(random)], vec![Test::random(random)]],
            3 => vec![vec![Test::random(random), Test::random(random)]],
            _ => Vec::new(),
        };
        Rule {
            kind: Kind::random(random),
            conditions,
            when: None,
        }
    }

    /// A rule that asks for what decks declare, here and there.
    fn choosing(random: &mut Random) -> Rule {
        let mut rule = Rule::random(random);
        if random.percent(25) {
            let of = random.below(3);
            let values = CHOICES[of].1;
            let never = random.percent(25);
            rule.kind = Kind::Choice {
                of,
                among: match random.below(3) {
                    0 if !never => vec![values[0], values[1]],
                    _ => Vec::new(),
                },
                offered: !never && random.percent(50),
                unlike: (!never && of == 1 && random.percent(50)).then_some(0),
                never,
            };
        }
        rule.kind.choose(random);
        for test in rule.conditions.iter_mut().flatten() {
            test.cards.choose(random, 20);
            if random.percent(30) {
                let of = random.below(3);
                let value = random.percent(60).then(|| *random.pick(&CHOICES[of].1));
                test.choice = Some((of, value));
                test.cards = Query::All;
            }
        }
        if random.percent(15) {
            let of = random.below(3);
            rule.when = Some((of, *random.pick(&CHOICES[of].1)));
        }
        rule
    }

    /// Its kind, and what is special about it.
    pub(crate) fn name(&self) -> String {
        let text = self.kind.text();
        let kind = text.split(':').next().unwrap_or("");
        let special = [
            ("by: [n", "groups"),
            ("by: [t", "groups"),
            ("by: [k", "groups"),
            ("of:", "amount"),
            ("matched", "matched"),
            ("mode: all", "all"),
        ];
        let special = special
            .iter()
            .find(|(word, _)| text.contains(word))
            .map_or("", |(_, name)| *name);
        let condition = if self.conditions.is_empty() {
            ""
        } else {
            "if "
        };
        format!("{condition}{kind} {special}")
    }

    fn text(&self, at: usize) -> String {
        let any = |tests: &Vec<Test>| match tests.as_slice() {
            [one] => one.text(),
            several => {
                let several: Vec<String> = several.iter().map(Test::text).collect();
                format!("{{any: [{}]}}", several.join(", "))
            }
        };
        let when = self.when.map_or(String::new(), |(of, value)| {
            format!("    when: {{{}: \"{value}\"}}\n", CHOICES[of].0)
        });
        let conditions: Vec<String> = self.conditions.iter().map(any).collect();
        let conditions = match conditions.as_slice() {
            [] => String::new(),
            [one] => format!("    if: {one}\n"),
            several => format!("    if: [{}]\n", several.join(", ")),
        };
        format!(
            "  - id: r{at}\n    source: s\n    about: a\n{when}{conditions}    must: {{{}}}\n",
            self.kind.text()
        )
    }
}

impl World {
    pub(super) fn random(random: &mut Random) -> World {
        let count = 3 + random.below(3);
        let chooses = random.percent(40);
        let default = (chooses && random.percent(30)).then_some("2");
        let cards = (0..count)
            .map(|at| Card {
                name: format!("Card {at}"),
                kind: word(random, &[KINDS[0], KINDS[1], KINDS[2], ""]),
                traits: TRAITS.into_iter().filter(|_| random.percent(40)).collect(),
                title: word(random, &["", "Tall", "Small", "Card 0"]),
                cost: random.percent(75).then(|| random.below(4) as i64),
                limit: random.percent(60).then(|| random.below(4) as i64),
                allows: random.percent(70).then(|| {
                    loop {
                        // An empty cell says nothing.
                        let mut query = Query::random(random);
                        query.choose(random, if chooses { 30 } else { 0 });
                        if query != Query::All {
                            break query;
                        }
                    }
                }),
                sets: Vec::new(),
            })
            .collect();
        let rules = (0..1 + random.below(3))
            .map(|_| match chooses {
                true => Rule::choosing(random),
                false => Rule::random(random),
            })
            .collect();
        let mut world = World {
            cards,
            rules,
            list: None,
            chooses,
            default,
        };
        if random.percent(40) {
            for card in &mut world.cards {
                card.sets = SETS.into_iter().filter(|_| random.percent(45)).collect();
            }
            world.list = Some(List::random(&world, random));
        }
        world
    }

    pub(super) fn format(&self) -> String {
        let mut text =
            "schema: decklaw/format/1\ngame: world\nname: World\ntext: none\nfields:\n".to_owned();
        text += "  - {name: kind, kind: word, values: [oak, elm, ash]}\n";
        text += "  - {name: traits, kind: list, values: [sun, rain, wind]}\n";
        text += "  - {name: title, kind: text}\n  - {name: cost, kind: number}\n";
        text += "  - {name: limit, kind: number}\n  - {name: allows, kind: query}\n";
        text += "  - {name: set, kind: list}\n";
        text += "sections:\n  - {id: hero, name: hero section}\n  - {id: main, name: main deck}\n  - {id: side, name: side deck}\n";
        if self.chooses {
            let default = self
                .default
                .map_or(String::new(), |value| format!(", default: {value}"));
            text += "choices:\n  - {name: grove, about: a, values: [oak, elm, ash]}\n";
            text += "  - {name: second, about: a, values: [oak, elm, ash]}\n";
            text += &format!("  - {{name: depth, about: a, min: 1, max: 3{default}}}\n");
        }
        text += "formats: [{id: world, name: World}]\nrules:\n";
        for (at, rule) in self.rules.iter().enumerate() {
            text += &rule.text(at);
        }
        text
    }

    pub(super) fn csv(&self) -> String {
        let mut text = "name,kind,traits,title,cost,limit,allows,set\n".to_owned();
        for card in &self.cards {
            let number =
                |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
            let allows = card.allows.as_ref().map_or(String::new(), Query::text);
            let cells = [
                card.name.clone(),
                card.kind.to_owned(),
                card.traits.join(";"),
                card.title.to_owned(),
                number(card.cost),
                number(card.limit),
                allows,
                card.sets.join(";"),
            ];
            text += &(cells.join(",") + "\n");
        }
        text
    }
}
