//! A player gives the settings that the rules leave to an organiser, and passes the deck on by a link
//! that the command line reads, too.

use super::driver::Stage;
use super::stories::Played;
use serde_json::json;
use std::process::Command;

const DECK: &str = include_str!("../../decks/vainqueur/barley-crown.txt");

/// What the command line says of a link.
fn commanded(link: &str) -> Result<String, String> {
    let run = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["check", link, "-o", "ndjson"])
        .env("DECKLAW_CONFIG", "/nonexistent")
        .output()
        .map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    Ok(told + &String::from_utf8_lossy(&run.stderr))
}

pub(crate) fn given(stage: &Stage) -> Played<'_> {
    Box::pin(async move {
        stage.size(1280, 900).await?;
        stage.go("/deck/vainqueur").await?;
        stage.find("#app[data-ready]").await?;
        // A line that nobody reads is left out, and the total above it follows.
        let list = DECK.replacen("Main\n", "Main (2)\nzwei Knechte\n", 1);
        stage.click("[data-key=import]").await?;
        stage.fill("dialog textarea", &list).await?;
        stage.click("dialog button.primary").await?;
        stage.sees("zwei Knechte").await?;
        stage
            .script(
                "[...document.querySelectorAll('dialog button')].find((one) => one.textContent.startsWith('Leave out')).click()",
                vec![],
            )
            .await?;
        stage.sees("Imported, without these lines").await?;
        stage.click("dialog header button").await?;
        // What is not given is open, and never plainly legal.
        stage.sees("not verified").await?;
        stage.sees("Settings: those of this site").await?;
        stage.click("#deck details summary").await?;
        stage.find("[data-setting=min]").await?;
        stage.accessible("settings of a deck").await?;
        for (name, value) in [("min", "40"), ("max", "60"), ("copies", "1")] {
            stage.click(&format!("[data-setting={name}]")).await?;
            stage.press(&format!("{value}\u{e004}")).await?;
            stage.sees(&format!("{name} = {value}")).await?;
        }
        stage.verdict("illegal").await?;
        stage.click("[data-setting=copies]").await?;
        stage.press("\u{e003}\u{e003}\u{e017}3\u{e004}").await?;
        stage
            .sees("By settings of this deck: min = 40, max = 60, copies = 3")
            .await?;
        stage.verdict("legal").await?;
        stage.picture("given-1280").await?;
        stage
            .until(
                "it is saved",
                "document.querySelector('.saved').textContent === 'Saved' && location.hash.includes('z=')",
            )
            .await?;
        // The link has them; the command line tells of them, and judges by its own.
        let link = stage.script("return location.href", vec![]).await?;
        let link = link.as_str().unwrap_or_default().to_owned();
        let told = commanded(&link)?;
        for wanted in ["\"name\":\"The Barley Crown\"", "--set copies=3"] {
            if !told.contains(wanted) {
                return Err(format!("no {wanted}: {told}"));
            }
        }
        // Somebody else opens it: the same verdict by the same settings, and no litter.
        let code = link.split("z=").nth(1).unwrap_or_default();
        stage.go("/").await?;
        stage.sees("Your decks").await?;
        stage.go(&format!("/deck/vainqueur#z={code}")).await?;
        stage
            .sees("By settings of this deck: min = 40, max = 60, copies = 3")
            .await?;
        stage.verdict("legal").await?;
        stage.size(390, 844).await?;
        stage.click("#tab-deck").await?;
        stage.picture("given-390").await?;
        // Pasted, it is the same deck.
        stage.go("/").await?;
        stage.size(1280, 900).await?;
        stage.go("/deck/vainqueur").await?;
        stage.find("#app[data-ready]").await?;
        stage.click("[data-key=import]").await?;
        stage.fill("dialog textarea", &link).await?;
        stage.click("dialog button.primary").await?;
        stage
            .sees("By settings of this deck: min = 40, max = 60, copies = 3")
            .await?;
        // A link that lost its end is none.
        stage.go("/").await?;
        let cut = code.get(..code.len() - 9).unwrap_or_default();
        stage.go(&format!("/deck/vainqueur#z={cut}")).await?;
        stage.sees("the link was cut off or altered").await?;
        let written = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args([
                "convert",
                "decks/vainqueur/barley-crown.txt",
                "--to-format",
                "link",
            ])
            .env("DECKLAW_CONFIG", "/nonexistent")
            .output()
            .map_err(|error| error.to_string())?;
        let written = String::from_utf8_lossy(&written.stdout).trim().to_owned();
        stage.go(&written).await?;
        stage.sees("not verified").await?;
        let name = "return document.querySelector('.bar .name').value";
        match stage.script(name, vec![]).await? == json!("The Barley Crown") {
            true => Ok(()),
            false => Err(format!("another deck than in {written}")),
        }
    })
}
