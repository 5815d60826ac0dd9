//! The stories.

use super::driver::{Stage, Story, Told};
use fantoccini::Locator;
use std::pin::Pin;

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const LISTED: &str = include_str!("../../decks/vainqueur/barley-crown.txt");
const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

pub(crate) type Played<'s> = Pin<Box<dyn Future<Output = Told> + 's>>;

/// Every story by its name.
pub(crate) const ALL: [(&str, Story); 18] = [
    ("a_deck_from_nothing_to_legal_and_on_paper", from_nothing),
    ("a_broken_list_is_pasted_and_mended", mended),
    ("another_card_comes_in_for_a_banned_one", substituted),
    (
        "a_deck_is_handed_in_from_a_phone_changed_and_locked",
        super::events::from_a_phone,
    ),
    ("an_organisers_evening", super::events::evening),
    ("a_deck_by_keyboard_alone", by_keyboard),
    ("two_tabs_never_lose_a_change_in_silence", two_tabs),
    (
        "how_heavy_the_builder_is_and_how_soon_it_answers",
        super::measured::builder,
    ),
    ("nothing_is_green_that_is_not_known", super::unsure::builder),
    (
        "a_deck_of_a_link_is_ones_own_when_it_is_kept",
        super::unsure::lent,
    ),
    (
        "a_list_in_bad_shape_becomes_a_deck",
        super::workshop::workshop,
    ),
    (
        "settings_that_a_player_gives_go_with_the_link",
        super::given::given,
    ),
    (
        "finish_from_nothing_in_every_game",
        super::finish::from_nothing,
    ),
    ("finish_by_wishes_and_in_part", super::finish::by_wishes),
    (
        "finish_by_an_exchange_for_a_banned_card",
        super::finish::exchanged,
    ),
    (
        "finish_where_much_is_missing_and_repair_where_little",
        super::finish::offered,
    ),
    ("a_game_in_two_windows", super::table::two_windows),
    ("clicks_that_come_fast_all_count", super::table::counters),
];

fn from_nothing(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.verdict("incomplete").await?;
        stage.fill("#query", "type:spell colour:green").await?;
        stage.until("green spells alone", "[...document.querySelectorAll('#cards .name')].every((one) => one.innerText.includes('green'))").await?;
        stage.click("#cards [data-step='+']").await?;
        stage
            .until(
                "a card in the deck",
                "document.querySelectorAll('#deck .line').length === 1",
            )
            .await?;
        stage.click("[data-key=repair]").await?;
        stage.sees("The smallest repair").await?;
        stage.accessible("the repair").await?;
        stage.click("dialog .primary").await?;
        stage.verdict("legal").await?;
        stage.sees("Every rule is kept.").await?;
        stage.until("it is saved", "document.querySelector('.saved').textContent === 'Saved' && location.hash.includes('z=')").await?;
        // The address holds the deck.
        let before = stage
            .script(
                "return document.querySelectorAll('#deck .line').length",
                vec![],
            )
            .await?;
        stage
            .client
            .refresh()
            .await
            .map_err(|error| error.to_string())?;
        stage.verdict("legal").await?;
        let after = stage
            .script(
                "return document.querySelectorAll('#deck .line').length",
                vec![],
            )
            .await?;
        if before != after {
            return Err(format!("{before} cards became {after}"));
        }
        stage.click("[data-key=print]").await?;
        let windows = wait_for_windows(stage, 2).await?;
        stage
            .client
            .switch_to_window(windows)
            .await
            .map_err(|error| error.to_string())?;
        stage.sees("Deck registration").await?;
        stage.sees("Verdict: legal").await
    })
}

async fn wait_for_windows(
    stage: &Stage,
    number: usize,
) -> Result<fantoccini::wd::WindowHandle, String> {
    for _ in 0..200 {
        let mut windows = stage
            .client
            .windows()
            .await
            .map_err(|error| error.to_string())?;
        if windows.len() >= number {
            return windows.pop().ok_or_else(|| "no window".to_owned());
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    Err("no further window opens".to_owned())
}

fn substituted(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go(&stage.link).await?;
        stage.sees("New event").await?;
        stage
            .fill("#deck", &format!("{LISTED}\n2 Wolf Who Ate the Map\n"))
            .await?;
        stage.click("button.primary").await?;
        stage.verdict("illegal").await?;
        stage.click("[data-key=repair]").await?;
        stage
            .sees("Instead of 2 copies of Wolf Who Ate the Map")
            .await?;
        stage.accessible("a repair with substitutes").await?;
        stage.picture("substitutes").await?;
        let name = "return document.querySelector('dialog .instead button bdi').textContent";
        let name = stage.script(name, vec![]).await?;
        stage.click("dialog .instead button").await?;
        stage.verdict("legal").await?;
        let there = "return [...document.querySelectorAll('#deck .line')].some((line) => line.textContent.includes(arguments[0]))";
        let there = stage.script(there, vec![name.clone()]).await?;
        match there == true {
            true => Ok(()),
            false => Err(format!("{name} did not come in")),
        }
    })
}

fn mended(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go(&stage.link).await?;
        stage.sees("New event").await?;
        stage.accessible("the first page").await?;
        stage
            .fill("#deck", &format!("{BROKEN}\nzwei Rain Caller\n"))
            .await?;
        stage.click("button.primary").await?;
        stage.sees("Not every line could be read").await?;
        stage.sees("zwei Rain Caller").await?;
        stage.fill("#deck", BROKEN).await?;
        stage.click("button.primary").await?;
        stage.verdict("illegal").await?;
        stage.accessible("the builder").await?;
        stage.picture("builder-1280").await?;
        // A finding points at its card, and mends itself alone.
        stage.click("#rules .finding.error button").await?;
        stage.find("#deck .line.blamed").await?;
        stage
            .click("#rules .finding.error button:nth-child(2)")
            .await?;
        stage.find("dialog .changes").await?;
        stage.click("dialog .primary").await?;
        stage
            .until("the dialog is gone", "!document.querySelector('dialog')")
            .await?;
        for _ in 0..3 {
            let left = stage
                .script(
                    "return Boolean(document.querySelector('[data-key=repair]'))",
                    vec![],
                )
                .await?;
            if left != true {
                break;
            }
            stage.click("[data-key=repair]").await?;
            stage.click("dialog .primary").await?;
            stage
                .until("the dialog is gone", "!document.querySelector('dialog')")
                .await?;
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        }
        stage.verdict("legal").await?;
        stage.click("[data-key=undo]").await?;
        stage
            .until(
                "the change is undone",
                "document.querySelector('[data-verdict]').dataset.verdict !== 'legal'",
            )
            .await?;
        stage.click("[data-key=redo]").await?;
        stage.verdict("legal").await
    })
}

fn by_keyboard(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.verdict("incomplete").await?;
        // Search, go into the list, add three, take one out, undo that.
        stage.press("/").await?;
        stage
            .until(
                "the search has the focus",
                "document.activeElement.id === 'query'",
            )
            .await?;
        stage.press("Moss Sprite").await?;
        stage
            .until(
                "one card",
                "document.querySelectorAll('#cards .line').length === 1",
            )
            .await?;
        stage.press("\u{e007}").await?;
        let copies = |number: u32| {
            format!("document.querySelector('#deck .count')?.textContent === '{number}'")
        };
        for number in 1..=3 {
            stage.press("+").await?;
            stage.until("a copy more", &copies(number)).await?;
        }
        stage.press("-").await?;
        stage.until("a copy fewer", &copies(2)).await?;
        stage.press("z").await?;
        stage.until("undone", &copies(3)).await?;
        stage.press("m").await?;
        stage.sees("The smallest repair").await?;
        stage.press("\u{e007}").await?;
        stage.verdict("legal").await?;
        stage.press("?").await?;
        stage.sees("undo, redo").await?;
        stage.press("\u{e00c}").await?;
        stage
            .until("the help is gone", "!document.querySelector('dialog')")
            .await
    })
}

fn two_tabs(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        stage.go("/deck/shell").await?;
        stage.verdict("incomplete").await?;
        stage.click("#cards [data-step='+']").await?;
        stage
            .until("it is saved", "location.hash.includes('d=')")
            .await?;
        let address = stage
            .client
            .current_url()
            .await
            .map_err(|error| error.to_string())?;
        let first = stage
            .client
            .window()
            .await
            .map_err(|error| error.to_string())?;
        let other = stage
            .client
            .new_window(true)
            .await
            .map_err(|error| error.to_string())?;
        stage
            .client
            .switch_to_window(other.handle)
            .await
            .map_err(|error| error.to_string())?;
        stage.go(address.as_str()).await?;
        stage.verdict("incomplete").await?;
        stage.click("#deck [data-step='+']").await?;
        stage
            .until(
                "it is saved",
                "document.querySelector('.saved').textContent === 'Saved'",
            )
            .await?;
        stage
            .client
            .switch_to_window(first)
            .await
            .map_err(|error| error.to_string())?;
        stage
            .click("#cards .item:nth-child(3) [data-step='+']")
            .await?;
        stage.sees("changed somewhere else meanwhile").await?;
        stage.accessible("a conflict").await?;
        stage.click(".conflict button").await?;
        stage.until("it is saved", "document.querySelector('.saved').textContent === 'Saved' && !document.querySelector('.conflict').innerText").await?;
        // Both states are kept.
        stage.click("[data-key=versions]").await?;
        stage
            .until(
                "every state",
                "document.querySelectorAll('dialog .item').length >= 3",
            )
            .await
    })
}
