//! Readers of decks on inputs of a size.

use crate::cases::{Case, HEAD, call, cockatrice, lines};
use crate::workbooks;

pub(crate) const CASES: &[Case] = &[
    ("text, one card", 49_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &"1 Moss Sprite\n".repeat(n)),
            "check d.txt",
        )
    }),
    ("text, unknown names", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt",
        )
    }),
    ("text, unknown names, json", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &(HEAD.to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt -o json",
        )
    }),
    ("text, no pool", 12_000, |to, n| {
        call(
            to,
            "d.txt",
            &("Format: any\n\nMain\n".to_owned() + &lines(n, |at| format!("1 Card {at}"))),
            "check d.txt",
        )
    }),
    ("text, one long name", 1_000_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("{HEAD}1 {}\n", "x".repeat(n)),
            "check d.txt",
        )
    }),
    ("text, marks in a name", 20_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("{HEAD}1 {}\n", "a\u{301}\u{323}".repeat(n)),
            "check d.txt",
        )
    }),
    ("text, comments", 200_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("{HEAD}{}1 Moss Sprite\n", "# Extra\n".repeat(n)),
            "check d.txt",
        )
    }),
    ("yaml", 10_000, |to, n| {
        call(
            to,
            "d.yaml",
            &format!(
                "format: shell\nmain:\n{}",
                lines(n, |at| format!("  - 1 Card {at}"))
            ),
            "check d.yaml",
        )
    }),
    ("json", 8_000, |to, n| {
        let cards: Vec<String> = (0..n).map(|at| format!("\"1 Card {at}\"")).collect();
        call(
            to,
            "d.json",
            &format!("{{\"format\":\"shell\",\"main\":[{}]}}", cards.join(",")),
            "check d.json",
        )
    }),
    ("pasted, lines", 10_000, |to, n| {
        call(
            to,
            "d.txt",
            &lines(n, |at| format!("1 Card {at} (M21) {at} *F*")),
            "check d.txt --from pasted --format shell",
        )
    }),
    ("pasted, foil marks", 50_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("1 Moss Sprite {}\n", "*F* ".repeat(n)),
            "check d.txt --from pasted --format shell",
        )
    }),
    ("pasted, labels", 50_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("1 Moss Sprite {}\n", "^x^ ".repeat(n)),
            "check d.txt --from pasted --format shell",
        )
    }),
    ("pasted, tags", 50_000, |to, n| {
        call(
            to,
            "d.txt",
            &format!("1 Moss Sprite {}\n", "#x ".repeat(n)),
            "check d.txt --from pasted --format shell",
        )
    }),
    ("card numbers", 10_000, |to, n| {
        call(
            to,
            "d.ydk",
            &format!("#main\n{}", lines(n, |at| at.to_string())),
            "check d.ydk --format shell",
        )
    }),
    ("cockatrice", 10_000, |to, n| {
        call(
            to,
            "d.cod",
            &cockatrice(&lines(n, |at| {
                format!("<card number=\"1\" name=\"C{at}\"/>")
            })),
            "check d.cod --format shell",
        )
    }),
    ("cockatrice, attributes", 20_000, |to, n| {
        call(
            to,
            "d.cod",
            &cockatrice(&format!(
                "<card{}/>",
                lines(n, |at| format!(" a{at}=\"1\""))
            )),
            "check d.cod --format shell",
        )
    }),
    ("cockatrice, namespaces", 20_000, |to, n| {
        call(
            to,
            "d.cod",
            &cockatrice(&"<card xmlns:q=\"z\" number=\"1\" name=\"C\"/>".repeat(n)),
            "check d.cod --format shell",
        )
    }),
    ("lackey", 10_000, |to, n| {
        call(
            to,
            "d.dek",
            &format!(
                "<deck version=\"0.8\"><superzone name=\"Deck\">{}</superzone></deck>",
                lines(n, |at| format!("<card><name>C{at}</name></card>"))
            ),
            "check d.dek --format shell",
        )
    }),
    ("table", 10_000, |to, n| {
        call(
            to,
            "d.csv",
            &format!(
                "count,name,section\n{}",
                lines(n, |at| format!("1,Card {at},main"))
            ),
            "check d.csv --format shell",
        )
    }),
    ("markdown table", 10_000, |to, n| {
        let rows = lines(n, |at| format!("| 1 | Card {at} |"));
        let text = format!("| Count | Name |\n| --- | --- |\n{rows}");
        call(
            to,
            "d.txt",
            &text,
            "check d.txt --from pasted --format shell",
        )
    }),
    ("pasted, sections", 900, |to, n| {
        let text = lines(n, |at| format!("## Pile {at}\n1 Card {at}\n"));
        call(to, "d.txt", &text, "check d.txt --from pasted --format any")
    }),
    ("text, sections", 240, |to, n| {
        let text = lines(n, |at| format!("Pile {at}\n1 Card {at}\n"));
        let text = format!("Format: any\n\n{text}");
        call(to, "d.txt", &text, "check d.txt")
    }),
    ("text, mistakes", 100_000, |to, n| {
        let text = format!("{HEAD}{}", "1x\n".repeat(n));
        call(to, "d.txt", &text, "check d.txt")
    }),
    ("utf-16", 10_000, |to, n| {
        let text = format!("{HEAD}{}", lines(n, |at| format!("1 Card {at}")));
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let words = call(to, "x", "", "check d.txt");
        std::fs::write(to.join("d.txt"), [&b"\xff\xfe"[..], &bytes].concat()).unwrap();
        words
    }),
    ("yaml, maps", 8_000, |to, n| {
        let cards = lines(n, |at| format!("  - {{name: Card {at}, count: 1}}"));
        call(
            to,
            "d.yaml",
            &format!("format: shell\nmain:\n{cards}"),
            "check d.yaml",
        )
    }),
    ("xlsx deck", 5_000, |to, n| {
        let rows = (0..n).map(|at| vec!["1".into(), format!("Card {at}")]);
        std::fs::write(to.join("d.xlsx"), workbooks::xlsx(&["count", "name"], rows)).unwrap();
        call(to, "x", "", "check d.xlsx --format shell")
    }),
    ("ods deck", 5_000, |to, n| {
        let rows = (0..n).map(|at| vec!["1".into(), format!("Card {at}")]);
        std::fs::write(to.join("d.ods"), workbooks::ods(&["count", "name"], rows)).unwrap();
        call(to, "x", "", "check d.ods --format shell")
    }),
    ("exported list", 5_000, |to, n| {
        let cards = lines(n, |at| {
            format!("{}\"{at}\": 1", if at == 0 { "" } else { "," })
        });
        let text = format!("{{\"name\": \"x\", \"slots\": {{{cards}}}}}");
        call(to, "d.json", &text, "check d.json --format shell")
    }),
];
