//! Parts of the desk's pages.

use super::hall::{Version, View};
use maud::{Markup, html};
use serde_json::Value;

/// The findings of a verdict, the ones that matter most first.
pub(super) fn findings(report: &str) -> Markup {
    let report: Value = serde_json::from_str(report).unwrap_or_default();
    let mut findings: Vec<&Value> = report["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let weight = |finding: &&Value| match finding["severity"].as_str() {
        Some("error") => 0,
        Some("warning") => 1,
        _ => 2,
    };
    findings.sort_by_key(weight);
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    html! {
        @if !findings.is_empty() {
            ul.findings {
                @for finding in findings {
                    li.finding.(text(finding, "severity")) {
                        @if let Some(line) = finding["line"].as_u64() { b { "Line " (line) } " " }
                        bdi { (text(finding, "message")) }
                        @let help = text(finding, "help");
                        @if !help.is_empty() { " " span.quiet { bdi { (help) } } }
                        @let source = text(finding, "source");
                        @if !source.is_empty() { " " cite { (source) } }
                    }
                }
            }
        }
    }
}

/// A time of the server's, as people read it.
pub(super) fn time(at: &str) -> Markup {
    let shown = at.get(..19).unwrap_or(at).replace('T', " ");
    html! { time datetime=(at) { (shown) " UTC" } }
}

/// What an event is: its format, its deadline, its list.
pub(super) fn about(event: &View) -> Markup {
    html! {
        dl.about {
            @if !event.format.is_empty() { div { dt { "Format" } dd { (event.format) } } }
            @if let Some(due) = event.about.due_in_words() {
                div { dt { "Deadline" } dd {
                    (due)
                    @if let Some(exact) = event.due { " " span.countdown data-due=(exact) {} }
                } }
            }
            div { dt { "Banlist" } dd { (event.list.as_deref().unwrap_or("none")) } }
            div { dt { "Lock" } dd { code.hash title=(event.seal) { (event.seal.get(..12).unwrap_or_default()) } } }
            @for (name, value) in &event.settings {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

/// The state of a version in a few words.
pub(super) fn state(version: &Version) -> Markup {
    html! {
        (super::super::page::verdict(&version.judged.verdict))
        @if version.late { " " span.late { "late" } }
    }
}
