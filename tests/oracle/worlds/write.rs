//! Random formats, written as a format file and a card file.

use super::{Amount, Kind, Matched, Part, Query, Range, Relation, Rule, SECTIONS, Test, World};

impl Query {
    pub(super) fn text(&self) -> String {
        match self {
            Query::All => String::new(),
            Query::Kind(kind) => format!("kind:{kind}"),
            Query::NotKind(kind) => format!("-kind:{kind}"),
            Query::Trait(word) => format!("traits:{word}"),
            Query::CostFrom(least) => format!("cost>={least}"),
        }
    }
}

impl Amount {
    fn text(&self) -> String {
        match self {
            Amount::Number(number) => number.to_string(),
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
    /// The keys of a relation by queries.
    fn permits(&self) -> String {
        let field = if self.lets {
            "[allows, lets]"
        } else {
            "allows"
        };
        let empty = if self.empty { ", empty: nothing" } else { "" };
        format!("{field}{empty}")
    }

    fn nobody(&self) -> &'static str {
        if self.nobody { ", nobody: nothing" } else { "" }
    }

    fn by(&self) -> String {
        match &self.picked {
            _ if self.alone => SECTIONS[self.by[0]].to_owned(),
            Query::All => sections(&self.by),
            picked => format!(
                "{{sections: {}, cards: '{}'}}",
                sections(&self.by),
                picked.text()
            ),
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

impl Part {
    /// What a copy counts.
    fn price_keys(&self) -> String {
        let field = if self.field { ", field: cost" } else { "" };
        let price = self
            .price
            .map_or(String::new(), |price| format!(", price: {price}"));
        format!("{field}{price}")
    }

    fn per_key(&self) -> String {
        match self.per {
            "copy" => String::new(),
            per => format!(", per: {per}"),
        }
    }

    fn matched_key(&self) -> String {
        self.matched.as_ref().map_or(String::new(), matched)
    }

    /// The part as one of several; what `above` says of all is left out.
    fn text(&self, above: &str) -> String {
        let mut keys = Vec::new();
        let mut own = String::new();
        if above.is_empty() {
            own += &self.price_keys();
        }
        own += &self.per_key();
        own += &self.matched_key();
        keys.extend(own.strip_prefix(", ").map(str::to_owned));
        if self.cards != Query::All {
            keys.push(format!("cards: '{}'", self.cards.text()));
        }
        if self.times != 1 {
            keys.push(format!("times: {}", self.times));
        }
        if !self.conditions.is_empty() {
            keys.push(format!("if: {}", conditions(&self.conditions)));
        }
        format!("{{{}}}", keys.join(", "))
    }
}

fn matched((relation, then, otherwise): &Matched) -> String {
    let how = match relation.field {
        Some(field) => format!("field: {field}, among: {}", relation.among),
        None => format!("permits: {}", relation.permits()),
    };
    let price = |(times, plus): &(i64, i64)| format!("{{times: {times}, plus: {plus}}}");
    let then = then.as_ref().map(price);
    let then = then.map_or(String::new(), |then| format!(", then: {then}"));
    format!(
        ", matched: {{by: {}, {how}, mode: {}{then}, else: {}}}",
        relation.by(),
        relation.mode(),
        price(otherwise)
    )
}

/// Conditions as a format file writes them.
fn conditions(all: &[Vec<Test>]) -> String {
    let any = |tests: &Vec<Test>| match tests.as_slice() {
        [one] => one.text(),
        several => {
            let several: Vec<String> = several.iter().map(Test::text).collect();
            format!("{{any: [{}]}}", several.join(", "))
        }
    };
    match all {
        [one] => any(one),
        several => {
            let several: Vec<String> = several.iter().map(any).collect();
            format!("[{}]", several.join(", "))
        }
    }
}

impl Kind {
    pub(super) fn text(&self) -> String {
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
            Kind::Within(of, whole, copies) => {
                let copies = if *copies { ", copies: true" } else { "" };
                format!(
                    "within: {{sections: {}, of: {}{copies}}}",
                    sections(of),
                    sections(whole)
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
            Kind::Values(of, query, field, least, range, among) => format!(
                "values: {{sections: {}{}, field: {field}, with-at-least: {least}{}{}}}",
                sections(of),
                cards(query),
                match among.as_slice() {
                    [] => String::new(),
                    some => format!(", among: ['{}']", some.join("', '")),
                },
                range.keys()
            ),
            Kind::Total {
                sections: of,
                cards: query,
                parts,
                range,
            } => {
                // What all parts count alike may stand above them.
                let price = parts[0].price_keys();
                let alike = parts.iter().all(|part| part.price_keys() == price);
                let above = if alike { price.as_str() } else { "" };
                let keys = match parts.as_slice() {
                    [one] => format!("{above}{}{}", one.per_key(), one.matched_key()),
                    several => {
                        let several: Vec<String> =
                            several.iter().map(|part| part.text(above)).collect();
                        format!("{above}, parts: [{}]", several.join(", "))
                    }
                };
                format!(
                    "total: {{sections: {}{}{keys}{}}}",
                    sections(of),
                    cards(query),
                    range.keys()
                )
            }
            Kind::Matching(of, query, relation) => format!(
                "matching: {{sections: {}{}, field: {}, by: {}, among: {}, mode: {}{}}}",
                sections(of),
                cards(query),
                relation.field.unwrap_or("kind"),
                relation.by(),
                relation.among,
                relation.mode(),
                relation.nobody()
            ),
            Kind::Brings(of, query, relation, copies, slots) => format!(
                "brings: {{sections: {}{}, field: {}, by: {}, among: {}{}{}}}",
                sections(of),
                cards(query),
                relation.field.unwrap_or("kind"),
                relation.by(),
                relation.among,
                match copies {
                    Some(copies) => format!(", copies: {}", copies.text()),
                    None => String::new(),
                },
                slots.map_or(String::new(), |field| format!(", any-of: {field}"))
            ),
            Kind::Demand(demand) => demand.text(),
            Kind::Several(any, parts) => {
                let parts = parts.iter().map(|part| match part {
                    Kind::Demand(demand) => demand.part(),
                    part => format!("{{{}}}", part.text()),
                });
                let parts: Vec<String> = parts.collect();
                let word = if *any { "any" } else { "all" };
                format!("{word}: [{}]", parts.join(", "))
            }
            Kind::Options(sections, needing, options) => {
                let options = options.iter().map(|(query, limit)| {
                    let limit = limit.map_or(String::new(), |limit| format!(", limit: {limit}"));
                    format!("{{cards: '{}'{limit}}}", query.text())
                });
                let options: Vec<String> = options.collect();
                format!(
                    "options: {{sections: {}{}, options: [{}]}}",
                    self::sections(sections),
                    cards(needing),
                    options.join(", ")
                )
            }
            Kind::Permitted(of, query, relation) => format!(
                "permitted: {{sections: {}{}, by: {}, field: {}, mode: {}{}}}",
                sections(of),
                cards(query),
                relation.by(),
                relation.permits(),
                relation.mode(),
                relation.nobody()
            ),
        }
    }
}

impl Test {
    fn text(&self) -> String {
        let text = self.positive();
        if self.not {
            format!("{{not: {text}}}")
        } else {
            text
        }
    }

    fn positive(&self) -> String {
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
    /// Its kind, and what is special about it.
    pub(crate) fn name(&self) -> String {
        let text = self.kind.text();
        let kind = text.split(':').next().unwrap_or("").trim();
        if matches!(self.kind, Kind::Demand(_)) {
            return format!("demand {kind}");
        }
        let special = [
            ("by: [n", "groups"),
            ("by: [t", "groups"),
            ("by: [k", "groups"),
            ("by: [[", "groups together"),
            ("among: [kind, t", "among several"),
            ("among: [name", "among several"),
            ("of:", "amount"),
            ("parts", "parts"),
            ("matched", "matched"),
            ("by: {sections", "picked"),
            ("not: {", "not"),
            ("per: further", "further"),
            ("per: highest", "highest"),
            ("per: lowest", "lowest"),
            ("mode: all", "all"),
            ("mode: any", "any"),
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
        let conditions = match self.conditions.as_slice() {
            [] => String::new(),
            some => format!("    if: {}\n", conditions(some)),
        };
        let must = match &self.kind {
            Kind::Demand(demand) => demand.text(),
            kind => format!("    must: {{{}}}\n", kind.text()),
        };
        format!("  - id: r{at}\n    source: s\n    about: a\n{conditions}{must}")
    }
}

impl World {
    pub(super) fn format(&self) -> String {
        let mut text =
            "schema: decklaw/format/1\ngame: world\nname: World\ntext: none\nfields:\n".to_owned();
        text += "  - {name: kind, kind: word, values: [oak, elm, ash]}\n";
        text += "  - {name: traits, kind: list, values: [sun, rain, wind]}\n";
        text += "  - {name: title, kind: text}\n  - {name: cost, kind: number}\n";
        text += "  - {name: limit, kind: number}\n  - {name: allows, kind: query}\n";
        text += "  - {name: lets, kind: query}\n  - {name: set, kind: list}\n";
        text += "sections:\n  - {id: hero, name: hero section}\n  - {id: main, name: main deck}\n  - {id: side, name: side deck}\n";
        text += "formats: [{id: world, name: World}]\nrules:\n";
        for (at, rule) in self.rules.iter().enumerate() {
            text += &rule.text(at);
        }
        text
    }

    pub(super) fn csv(&self) -> String {
        let mut text = "name,kind,traits,title,cost,limit,allows,lets,set\n".to_owned();
        for card in &self.printed {
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
                card.lets.as_ref().map_or(String::new(), Query::text),
                card.sets.join(";"),
            ];
            text += &(cells.join(",") + "\n");
        }
        text
    }
}
