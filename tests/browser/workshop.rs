//! A list in bad shape becomes a deck that is looked at from all sides: imported with what it likely
//! says, grouped, ordered, searched by its text, moved between sections, and printed.

use super::driver::Stage;
use super::stories::Played;
use serde_json::json;

const DECK: &str = include_str!("../../decks/shell/ebb.txt");

/// The lines of the deck as they stand on the page: each heading with a colon, each card.
const SHOWN: &str = "return [...document.querySelectorAll('#deck .section[data-section=main] :is(h3 bdi, .line bdi)')]
    .map((one) => (one.closest('h3') ? `${one.textContent}:` : one.textContent))";

pub(crate) fn workshop(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        stage.go("/deck/shell").await?;
        stage.find("#app[data-ready]").await?;
        // A line without its count, and a name with a letter wrong.
        let mut lines: Vec<String> = DECK.lines().map(str::to_owned).collect();
        let mut cards = lines
            .iter_mut()
            .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
        let bare = cards.next().ok_or("no card")?;
        let name = bare.split_once(' ').ok_or("no count")?.1.to_owned();
        bare.clone_from(&name);
        let wrong = cards.next().ok_or("no card")?;
        let meant = wrong.split_once(' ').ok_or("no count")?.1.to_owned();
        wrong.push('q');
        stage.click("[data-key=import]").await?;
        stage.fill("dialog textarea", &lines.join("\n")).await?;
        stage.click("dialog button.primary").await?;
        stage.click("[data-key=count-once]").await?;
        stage.sees("Some names are nearly those of cards").await?;
        stage.accessible("names that are nearly right").await?;
        let first = "return document.querySelector('dialog form select').value";
        if stage.script(first, vec![]).await? != json!(meant) {
            return Err(format!("another card than {meant} is offered first"));
        }
        stage.click("[data-key=take-names]").await?;
        stage.verdict("legal").await?;
        // In groups, each in order; what is shown otherwise is the same deck.
        let before = stage.script(SHOWN, vec![]).await?;
        for (what, field) in [("group", "colour"), ("sort", "mana")] {
            stage
                .click(&format!("[data-key=show-{what}] option[value={field}]"))
                .await?;
        }
        stage.find("#deck .group").await?;
        stage.accessible("a deck in groups").await?;
        stage.picture("workshop-1280").await?;
        let after = stage.script(SHOWN, vec![]).await?;
        let list = |told: &serde_json::Value| -> Vec<String> {
            let all = told.as_array().into_iter().flatten();
            all.filter_map(|one| one.as_str().map(str::to_owned))
                .collect()
        };
        let (before, after) = (list(&before), list(&after));
        let mut rows =
            csv::Reader::from_reader(&include_bytes!("../../formats/shell/cards.csv")[..]);
        let pool: Vec<csv::StringRecord> = rows
            .records()
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        let of = |name: &str, at: usize| {
            let row = pool.iter().find(|row| &row[0] == name);
            row.map_or("", |row| row.get(at).unwrap_or_default())
                .to_owned()
        };
        let (mut colour, mut least) = (String::new(), 0);
        let mut names = Vec::new();
        for line in &after {
            if let Some(head) = line.strip_suffix(':') {
                (colour, least) = (head.to_owned(), 0);
                continue;
            }
            let mana: i64 = of(line, 3).parse().unwrap_or_default();
            if of(line, 2) != colour || mana < least {
                return Err(format!("{line} does not stand there: {after:?}"));
            }
            least = mana;
            names.push(line.clone());
        }
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        if names.is_empty() || sorted(names) != sorted(before) {
            return Err(format!("the groups are not the deck: {after:?}"));
        }
        // A word of the text, which no name holds.
        stage.fill("#query", "returned").await?;
        stage.sees("0 of 176 cards").await?;
        stage.click("[data-key=all-text]").await?;
        let texts = pool.iter().filter(|row| {
            let all = format!("{} {}", &row[0], row.get(5).unwrap_or_default());
            all.to_lowercase().contains("returned")
        });
        let wanted = format!("{} of 176 cards", texts.count());
        if wanted.starts_with("0 ") {
            return Err("no card says so".to_owned());
        }
        stage.sees(&wanted).await?;
        // From section to section by key, and back.
        let at = "[data-section=side] .line .name";
        let held =
            "document.querySelector(\"#deck .section[data-section=side] h2 .number\").textContent";
        let side = stage.script(&format!("return {held}"), vec![]).await?;
        stage
            .script(
                "document.querySelector(arguments[0]).focus()",
                vec![json!(at)],
            )
            .await?;
        stage.press("s").await?;
        stage
            .until("fewer in the side deck", &format!("{held} !== {side}"))
            .await?;
        stage.click("[data-key=undo]").await?;
        stage
            .until("all in the side deck", &format!("{held} === {side}"))
            .await?;
        stage.size(390, 844).await?;
        stage.click("#tab-deck").await?;
        stage.accessible("a deck in groups on a phone").await?;
        stage.picture("workshop-390").await
    })
}
