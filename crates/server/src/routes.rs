//! Every route, and who may use it.

use crate::app::Shared;
use crate::desk::{hand_in, opening, organise, public};
use crate::door::{Needs, Route, door};
use crate::edited::EditedFile;
use crate::error::HttpError;
use crate::table::{self, Tables};
use crate::{assets, builder, edited, guard, replay, start};
use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRef};
use axum::handler::Handler;
use axum::middleware;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::sync::Arc;

/// What some routes work with in addition to [`App`](crate::app::App).
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) tables: Arc<Tables>,
    pub(crate) edited: Option<Arc<EditedFile>>,
}

impl FromRef<Site> for Arc<Tables> {
    fn from_ref(site: &Site) -> Arc<Tables> {
        Arc::clone(&site.tables)
    }
}

impl FromRef<Site> for Option<Arc<EditedFile>> {
    fn from_ref(site: &Site) -> Option<Arc<EditedFile>> {
        site.edited.clone()
    }
}

type Entry = (Route, MethodRouter<Site>);

fn entry<H: Handler<T, Site>, T: 'static>(
    (method, filter, changes): (&'static str, MethodFilter, bool),
    path: &'static str,
    needs: Needs,
    handler: H,
) -> Entry {
    let route = Route { method, path, needs, changes };
    (route, on(filter, handler))
}

fn get<H: Handler<T, Site>, T: 'static>(path: &'static str, needs: Needs, handler: H) -> Entry {
    entry(("GET", MethodFilter::GET, false), path, needs, handler)
}

fn post<H: Handler<T, Site>, T: 'static>(path: &'static str, needs: Needs, handler: H) -> Entry {
    entry(("POST", MethodFilter::POST, true), path, needs, handler)
}

/// Computes something from a body that is too long for an address.
fn compute<H: Handler<T, Site>, T: 'static>(path: &'static str, handler: H) -> Entry {
    let method = ("POST", MethodFilter::POST, false);
    entry(method, path, Needs::Nothing, handler)
}

fn entries() -> Vec<Entry> {
    use Needs::{Host, Nothing, Organiser, Player, Seat};
    let put = ("PUT", MethodFilter::PUT, true);
    vec![
        get("/", Nothing, start::page),
        get("/health", Nothing, start::health),
        get("/assets/{name}", Nothing, assets::asset),
        post("/enter", Nothing, start::enter),
        get("/deck/{*format}", Nothing, builder::page),
        compute("/api/ask", builder::ask),
        get("/api/picture/{*format}", Nothing, builder::picture),
        get("/api/file", Host, edited::read),
        entry(put, "/api/file", Host, edited::save),
        get("/replay", Nothing, replay::page),
        compute("/api/replay", replay::ask),
        get("/play", Nothing, table::opening::ask),
        post("/play", Nothing, table::opening::open),
        get("/t/file", Host, table::match_file::page),
        get("/t/{table}/{key}", Seat, table::seat::page),
        post("/t/{table}/{key}", Seat, table::lobby::bring),
        get("/api/t/{table}/{key}/changes", Seat, table::seat::changes),
        get("/api/t/{table}/{key}/{part}", Seat, table::seat::part),
        post("/api/t/{table}/{key}/do", Seat, table::seat::act),
        post("/api/t/{table}/{key}/next", Seat, table::next::open),
        get("/desk/new", Host, opening::new),
        post("/desk/new", Host, opening::create),
        get("/e/{event}", Nothing, hand_in::page),
        post("/e/{event}", Nothing, hand_in::hand_in),
        compute("/api/e/{event}/ask", hand_in::ask),
        compute("/api/e/{event}/check", hand_in::check),
        get("/e/{event}/mine", Player, hand_in::mine),
        post("/e/{event}/mine/withdraw", Player, hand_in::withdraw),
        get("/e/{event}/decks", Nothing, public::page),
        post("/e/{event}/mine", Player, hand_in::change),
        get("/e/{event}/mine/sheet", Player, hand_in::sheet),
        get("/e/{event}/desk", Organiser, organise::page),
        get("/e/{event}/desk/{part}", Organiser, organise::part),
        post("/e/{event}/desk/do", Organiser, organise::act),
        post("/e/{event}/desk/import", Organiser, organise::import),
    ]
}

/// Every route and who may use it.
pub fn table() -> Vec<Route> {
    entries().into_iter().map(|(route, _)| route).collect()
}

/// The service: every route behind its door, all behind the guard.
pub(crate) fn router(app: Shared, site: Site) -> Router {
    let mut router = Router::new();
    for (route, to) in entries() {
        let state = (route, Arc::clone(&site.tables));
        router = router.route(route.path, to.layer(middleware::from_fn_with_state(state, door)));
    }
    let guard = middleware::from_fn_with_state(app, guard::guard);
    router
        .fallback(async || HttpError::none("such page"))
        .method_not_allowed_fallback(async || {
            HttpError::new(405, "This address does not take this request.", "")
        })
        .layer(guard)
        // The guard bounds bodies by their paths.
        .layer(DefaultBodyLimit::disable())
        .with_state(site)
}
