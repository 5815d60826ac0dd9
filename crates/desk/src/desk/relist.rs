//! Another banlist for an event: first whose verdict it changes, then the change.

use super::super::guard::{Fields, Who};
use super::super::trouble::Trouble;
use super::super::work::Weight;
use super::super::{Shared, answers, page as frame};
use super::opening::locked;
use super::organise::back;
use super::{Opened, now, record, views};
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use decklaw_core::digest::sha256;
use maud::html;
use rusqlite::params;
use serde_json::{Value, json};
use std::sync::Arc;

/// `POST /e/ID/desk/list`: another list, after it was shown whose verdict it changes.
pub(in super::super) async fn list(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = Arc::clone(&opened.event);
    let id = event.id.clone();
    let players = app
        .store
        .read(move |data| record::players(data, &id))
        .await?;
    let (state, of, chosen) = (
        Arc::clone(&app),
        Arc::clone(&event),
        fields.text("list").to_owned(),
    );
    let work = move || {
        let terms = locked(&state, &of.format, of.terms.clone(), &chosen)?;
        let judge = state.site.judge(&terms)?;
        let mut judged = Vec::new();
        for player in players {
            let Some(last) = player.last else { continue };
            let (report, line) = answers::line_of(&judge, &of.format, &player.name, &last.deck)?;
            let rules = report
                .rulebook
                .as_deref()
                .map(|rules| decklaw_core::report::json::inputs_digest(rules).to_owned());
            judged.push((
                player.name,
                (last.id, last.number),
                last.verdict,
                report.verdict.word(),
                line,
                rules,
            ));
        }
        Ok((terms, judged))
    };
    let (terms, judged) = app.work.out(who.address, Weight::Light, work).await?;
    let changed: Vec<_> = judged
        .iter()
        .filter(|(_, _, before, after, ..)| before != after)
        .collect();
    if fields.text("do") == "apply" {
        let names: Vec<Value> = changed
            .iter()
            .map(
                |(name, _, before, after, ..)| json!({"player": name, "from": before, "to": after}),
            )
            .collect();
        let kept: Vec<Value> = judged
            .iter()
            .map(|(name, (_, number), _, verdict, line, rules)| {
                json!({"player": name, "number": number, "verdict": verdict, "rules": rules, "report": sha256(line.as_bytes())})
            })
            .collect();
        let (id, text) = (
            event.id.clone(),
            serde_json::to_string(&terms).map_err(|_| Trouble::defect())?,
        );
        app.store
            .write(move |data| {
                let at = now();
                data.execute("update event set terms = ?2 where id = ?1", params![id, text])?;
                for (_, (version, _), _, verdict, line, rules) in &judged {
                    data.execute(
                        "insert into judgement (version, at, verdict, report, rules) values (?1, ?2, ?3, ?4, ?5)",
                        params![version, at, verdict, line, rules],
                    )?;
                }
                let detail = json!({"terms": terms, "changed": names, "kept": {"judged": kept}});
                record::audit(data, &id, &at, "organiser", "list", &detail)
            })
            .await?;
        return Ok(back(&opened));
    }
    let path = format!("/e/{}/desk", event.id);
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href=(path) { "← " bdi { (event.title) } } }
            h1 { "What another banlist changes" }
            @if changed.is_empty() { p { "No verdict changes." } }
            @else {
                ul { @for (name, _, before, after, line, _) in &changed {
                    li { bdi { (name) } ": " (frame::verdict(before)) " → " (frame::verdict(after)) (views::findings(line)) }
                } }
            }
            form method="post" action={ (path) "/list" } {
                (frame::token(&who))
                input type="hidden" name="list" value=(fields.text("list"));
                button.primary name="do" value="apply" { "Judge all decks by it" }
            }
        }
    };
    Ok(frame::page(&who, "What another banlist changes", &[], body).into_response())
}
