//! What is stale or useless in a list, once the game's cards are known.

use super::{Banlist, Status};
use crate::pool::Pool;
use crate::text::listed;
use crate::yaml::Problem;

/// The entries of a list that name no card of the pool or no section of the game, and points
/// that no deck could reach.
pub fn lint(list: &Banlist, pool: &Pool, sections: &[&str]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for entry in &list.entries {
        if pool.find(&entry.name).is_none() {
            let near: Vec<String> = pool
                .nearest(&entry.name)
                .iter()
                .map(|near| format!("`{near}`"))
                .collect();
            let hint = match near.as_slice() {
                [] => String::new(),
                near => format!("; did you mean {}?", listed(near, "or")),
            };
            problems.push(Problem::new(
                format!("no card is called `{}`{hint}", entry.name),
                entry.span,
            ));
        }
        for section in entry
            .sections
            .iter()
            .filter(|section| !sections.contains(&section.as_str()))
        {
            let message = format!(
                "no section `{section}`; the sections are {}",
                listed(sections, "and")
            );
            problems.push(Problem::new(message, entry.span));
        }
        if let (Status::Points(points), Some(limit)) = (entry.status, list.points_limit)
            && points > limit
        {
            let message = format!(
                "at {} `{}` alone passes the limit of {limit}: ban it",
                crate::text::counted(points, "point"),
                entry.name
            );
            problems.push(Problem::new(message, entry.span));
        }
    }
    problems
}
