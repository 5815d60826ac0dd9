//! The stories.

pub(crate) use super::builder::Played;
use super::driver::{Stage, Story};
use fantoccini::Locator;

const LEGAL: &str = include_str!("../../decks/shell/ebb.txt");
const BROKEN: &str = include_str!("../../decks/shell/too-many-copies.txt");

/// Every story by its name.
<<<<<<< HEAD
pub(crate) const ALL: [(&str, Story); 4] = [
=======
pub(crate) const ALL: [(&str, Story); 17] = [
    ("a_deck_from_nothing_to_legal_and_on_paper", from_nothing),
    ("a_broken_list_is_pasted_and_mended", mended),
    ("another_card_comes_in_for_a_banned_one", substituted),
>>>>>>> r/match
    (
        "a_deck_is_handed_in_from_a_phone_changed_and_locked",
        from_a_phone,
    ),
    ("an_organisers_evening", evening),
<<<<<<< HEAD
    ("a_game_in_two_windows", super::table::two_windows),
    ("clicks_that_come_fast_all_count", super::table::counters),
=======
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
    ("a_table_by_keys_and_menus", super::table::by_keys),
>>>>>>> r/match
];

/// Opens an event as whoever runs the server; its address.
pub(crate) async fn open_event(stage: &Stage) -> Result<(String, String), String> {
    stage.go(&stage.link).await?;
    stage.sees("New event").await?;
    stage.go("/desk/new?format=shell").await?;
    stage.fill("#title", "Friday night").await?;
    stage.fill("#due", "2999-03-01T18:00").await?;
    stage.fill("#players", "Ada\nBen").await?;
    stage.accessible("a new event").await?;
    stage.click("form button.primary").await?;
    stage.sees("The event is open").await?;
    let links = stage
        .script(
            "return [...document.querySelectorAll('a.private')].map((link) => link.href)",
            vec![],
        )
        .await?;
    let link = |at: usize| links[at].as_str().unwrap_or_default().to_owned();
    Ok((link(0), link(1)))
}

fn from_a_phone(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(390, 844).await?;
        let (event, _) = open_event(stage).await?;
        stage.go(&event).await?;
        stage.accessible("the hand-in page").await?;
        stage.fill("#name", "Ada").await?;
        stage.fill("#deck", BROKEN).await?;
        stage.find("#verdict .verdict.illegal").await?;
        stage.picture("hand-in-390").await?;
        stage.fill("#deck", LEGAL).await?;
        stage.find("#verdict .verdict.legal").await?;
        stage.click("button[value=hand-in]").await?;
        stage.sees("Handed in").await?;
        stage.accessible("a deck that was handed in").await?;
        let key = stage
            .script("return document.querySelector('a.private').href", vec![])
            .await?;
        let key = key.as_str().unwrap_or_default().to_owned();
        // The private link alone opens it, in a browser that knows nothing yet.
        stage
            .client
            .delete_all_cookies()
            .await
            .map_err(|error| error.to_string())?;
        stage.go(&format!("{event}/mine")).await?;
        stage.sees("A key is needed").await?;
        stage.go(&key).await?;
        stage.sees("version 1").await?;
        // And where it is open already it opens it again.
        stage.go("/").await?;
        stage.go(&key).await?;
        stage.sees("version 1").await?;
        stage
            .until("the key is out of the address", "!location.hash")
            .await?;
        stage.accessible("a player's own page").await?;
        stage.fill("#deck", BROKEN).await?;
        stage.click("button[value=check]").await?;
        stage.click("button[value=anyway]").await?;
        stage.sees("version 2").await?;
        // On a phone the verdict is always in view, whatever is shown.
        stage.go("/deck/shell").await?;
        stage.verdict("incomplete").await?;
        for tab in ["#tab-cards", "#tab-rules", "#tab-deck"] {
            stage.click(tab).await?;
            stage.until("the verdict is in view", "(() => { const box = document.querySelector('[data-verdict]').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight && box.width > 0; })()").await?;
            stage
                .until(
                    "nothing is wider than the phone",
                    "document.documentElement.scrollWidth <= innerWidth",
                )
                .await?;
            stage.until("buttons are as large as a thumb", "[...document.querySelectorAll('.pane:not([data-away]) .step')].every((one) => one.getBoundingClientRect().height >= 43)").await?;
            stage.accessible(tab).await?;
        }
        // Locked out.
        stage.go(&stage.link).await?;
        stage.sees("Events").await?;
        stage.go(&format!("{event}/desk")).await?;
        stage.click("button[value=lock]").await?;
        stage.find("button[value=unlock]").await?;
        stage.go(&format!("{event}/mine")).await?;
        stage.sees("takes no more decks").await?;
        let forms = stage
            .client
            .find_all(Locator::Css("#hand-in"))
            .await
            .map_err(|error| error.to_string())?;
        if !forms.is_empty() {
            return Err("a locked deck can be changed".to_owned());
        }
        Ok(())
    })
}

fn evening(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 800).await?;
        let (event, desk) = open_event(stage).await?;
        for (name, deck, button) in [("Ada", LEGAL, "hand-in"), ("Zoe", BROKEN, "anyway")] {
            stage
                .client
                .delete_all_cookies()
                .await
                .map_err(|error| error.to_string())?;
            stage.go(&event).await?;
            stage.fill("#name", name).await?;
            stage.fill("#deck", deck).await?;
            stage.click("button[value=check]").await?;
            stage.click(&format!("button[value={button}]")).await?;
            stage.sees("Handed in").await?;
        }
        // The organiser's link alone opens the desk.
        stage
            .client
            .delete_all_cookies()
            .await
            .map_err(|error| error.to_string())?;
        stage.go("/").await?;
        stage.go(&desk).await?;
        stage.sees("not on the list").await?;
        stage.accessible("the desk").await?;
        stage.picture("desk-1280").await?;
        stage.click("a[href$='show=missing']").await?;
        stage
            .until(
                "who is missing",
                "document.querySelectorAll('table.players tbody tr').length === 1",
            )
            .await?;
        stage.sees("Ben").await?;
        stage.click("table.players a").await?;
        stage.fill("#entered", LEGAL).await?;
        stage.click("button[value=enter]").await?;
        stage.sees("by organiser").await?;
        stage.accessible("a player at the desk").await?;
        stage.fill("#played", BROKEN).await?;
        stage.click("button[value=check]").await?;
        stage.sees("Not the deck that counts").await
    })
}
