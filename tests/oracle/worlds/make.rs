//! Random formats: how they are made.

use super::list::{List, SETS};
use super::{
    Amount, Card, KINDS, Kind, Matched, Part, Query, Range, Relation, Rule, TRAITS, Test, World,
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
}

impl Relation {
    fn random(random: &mut Random, together: bool) -> Relation {
        let alone = !together && random.percent(50);
        let picked = match !alone && random.percent(35) {
            true => Query::random(random),
            false => Query::All,
        };
        let field = *random.pick(&[Some("kind"), Some("traits"), Some("title"), Some("kind")]);
        let among = word(
            random,
            &["kind", "traits", "traits", "name", "[kind, traits]"],
        );
        Relation {
            by: match &picked {
                _ if alone => vec![0],
                Query::All => random.pick(&[vec![0], vec![0, 2]]).clone(),
                // Identity cards that stand among others.
                _ => random.pick(&[vec![0], vec![1], vec![0, 1]]).clone(),
            },
            picked,
            alone,
            field,
            among: match (field, among) {
                (Some("title"), "traits") => "title",
                (Some("title"), "[kind, traits]") => "[name, title]",
                (Some("title"), _) => "name",
                (_, among) => among,
            },
            all: random.percent(40),
            empty: random.percent(30),
            nobody: !together && random.percent(30),
            lets: random.percent(30),
        }
    }
}

/// Cards that agree, and what becomes of a number.
fn some_matched(
    random: &mut Random,
    then: &[Option<(i64, i64)>],
    otherwise: &[(i64, i64)],
) -> Matched {
    let mut relation = Relation::random(random, true);
    if random.percent(30) {
        relation.field = None;
    }
    (relation, *random.pick(then), *random.pick(otherwise))
}

impl Part {
    fn random(random: &mut Random, several: bool) -> Part {
        let per = *random.pick(&[
            "copy", "copy", "copy", "card", "further", "highest", "lowest",
        ]);
        let field = random.percent(70);
        let extreme = matches!(per, "highest" | "lowest");
        let matched = (!extreme && random.percent(50)).then(|| {
            let changes = [None, None, Some((1, 0)), Some((2, 1))];
            some_matched(random, &changes, &[(1, 0), (1, 0), (1, 2), (0, 0)])
        });
        let conditional = several && random.percent(50);
        Part {
            cards: match several && random.percent(60) {
                true => Query::random(random),
                false => Query::All,
            },
            conditions: (0..usize::from(conditional) * (1 + random.below(2)))
                .map(|_| {
                    (0..1 + random.below(2))
                        .map(|_| Test::random(random))
                        .collect()
                })
                .collect(),
            field,
            price: (!field || random.percent(20)).then_some(1),
            per,
            times: match several {
                true => *random.pick(&[1, 1, 1, 2, -1]),
                false => 1,
            },
            matched,
        }
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
                vec!["[kind, cost]"],
                vec!["[traits, title]", "cost"],
            ])
            .clone();
        match random.below(15) {
            0 => Kind::Accept(random.below(3), query),
            1 => Kind::Avoid(sections, query),
            2 if random.percent(50) => Kind::Disjoint(vec![2], vec![1]),
            2 => {
                let (of, whole) = random
                    .pick(&[
                        (vec![2], vec![1]),
                        (vec![1], vec![2]),
                        (vec![2], vec![0, 1]),
                        (vec![1, 2], vec![1]),
                    ])
                    .clone();
                Kind::Within(of, whole, random.percent(50))
            }
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
                let range = Range::random(random, false);
                let known: &[&str] = match field {
                    "kind" => &KINDS,
                    "traits" => &TRAITS,
                    "cost" => &["0", "1", "2", "3"],
                    _ => &[],
                };
                let some = random.percent(35) && !known.is_empty();
                let among = known.iter().filter(|_| some && random.percent(60));
                let among = among.copied().collect();
                Kind::Values(sections, query, field, least, range, among)
            }
            9..=11 => {
                let count = *random.pick(&[1, 1, 1, 2, 2, 3]);
                Kind::Total {
                    sections,
                    cards: query,
                    parts: (0..count)
                        .map(|_| Part::random(random, count > 1))
                        .collect(),
                    range: Range::random(random, false),
                }
            }
            12 => Kind::Matching(sections, query, Relation::random(random, false)),
            13 => {
                let mut relation = Relation::random(random, false);
                (relation.all, relation.nobody) = (false, false);
                let copies = match random.below(5) {
                    0 | 1 => None,
                    2 => Some(Amount::Number(random.below(3) as i64)),
                    3 => Some(Amount::Own {
                        field: "limit",
                        otherwise: random.percent(30).then_some(2),
                    }),
                    _ => Some(Amount::Sum(vec![
                        Amount::Own {
                            field: "limit",
                            otherwise: None,
                        },
                        Amount::Number(1),
                    ])),
                };
                let slots = random
                    .percent(40)
                    .then(|| *random.pick(&["title", "kind", "traits", "cost"]));
                Kind::Brings(sections, query, relation, copies, slots)
            }
            _ => {
                let mut relation = Relation::random(random, false);
                relation.field = None;
                Kind::Permitted(sections, query, relation)
            }
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
            sections: some_sections(random),
            cards: Query::random(random),
            least,
            most,
            not: random.percent(20),
        }
    }
}

impl Kind {
    /// Two or three demands as one.
    fn several(random: &mut Random) -> Kind {
        let part = |random: &mut Random| loop {
            let part = match random.percent(30) {
                true => Kind::Demand(super::demands::Demand {
                    each: None,
                    ..super::demands::Demand::random(random)
                }),
                false => Kind::random(random),
            };
            // A demand on each card names numbers of that card.
            let plain = match &part {
                Kind::Demand(demand) => !demand.text().contains("card."),
                Kind::Accept(..) => false,
                part => !part.text().contains("permits") && !part.text().contains("allows"),
            };
            if plain {
                return part;
            }
        };
        let count = 2 + random.below(2);
        let parts: Vec<Kind> = (0..count).map(|_| part(random)).collect();
        Kind::Several(random.percent(75), parts)
    }

    fn options(random: &mut Random) -> Kind {
        let sections = some_sections(random);
        let cards = match random.percent(60) {
            true => Query::All,
            false => Query::random(random),
        };
        let count = 1 + random.below(4);
        let options = (0..count).map(|_| {
            let limit = random.percent(75).then(|| random.below(5) as i64);
            (Query::random(random), limit)
        });
        let options = options.collect();
        Kind::Options(sections, cards, options)
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
        let kind = match random.below(20) {
            0..=2 => Kind::Demand(super::demands::Demand::random(random)),
            3 => Kind::several(random),
            4 => Kind::options(random),
            _ => Kind::random(random),
        };
        Rule { kind, conditions }
    }
}

impl World {
    pub(super) fn random(random: &mut Random) -> World {
        let count = 3 + random.below(3);
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
                        let query = Query::random(random);
                        if query != Query::All {
                            break query;
                        }
                    }
                }),
                lets: random.percent(30).then(|| {
                    random
                        .pick(&[Query::Kind(KINDS[0]), Query::CostFrom(2)])
                        .clone()
                }),
                sets: Vec::new(),
            })
            .collect();
        let rules = (0..1 + random.below(3))
            .map(|_| Rule::random(random))
            .collect();
        let mut world = World {
            cards,
            printed: Vec::new(),
            rules,
            list: None,
        };
        if random.percent(40) {
            for card in &mut world.cards {
                card.sets = SETS.into_iter().filter(|_| random.percent(45)).collect();
            }
            let list = List::random(&world, random);
            world.printed = world.cards.clone();
            world.cards = list.changed(&world.printed);
            world.list = Some(list);
        } else {
            world.printed = world.cards.clone();
        }
        world
    }
}
