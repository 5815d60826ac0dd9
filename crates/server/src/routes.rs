//! Every route, and who may take it.

use super::trouble::Trouble;
use super::who::Needs;
use super::{Shared, assets, builder, desk, edited, guard, health, start, table as tables};
use axum::Router;
use axum::extract::{Extension, FromRequestParts, RawPathParams, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post, put};

/// A route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The method of HTTP.
    pub method: &'static str,
    /// The path, with the names of its parts in braces.
    pub path: &'static str,
    /// Who may take it.
    pub needs: Needs,
    /// Whether it may change what is kept: then it is carried out to its end, whether or not
    /// the client waits for the answer.
    pub changes: bool,
}

type Entry = (Route, MethodRouter<Shared>);

fn entries() -> Vec<Entry> {
    use Needs::{Host, Nothing, Organiser, Player, Seat};
    let mut entries: Vec<Entry> = Vec::new();
    let mut add = |method: &'static str, path: &'static str, needs, to| {
        entries.push((
            Route {
                method,
                path,
                needs,
                changes: method != "GET",
            },
            to,
        ));
    };
    add("GET", "/", Nothing, get(start::page));
    add("GET", "/health", Nothing, get(health::health));
    add("GET", "/assets/{name}", Nothing, get(assets::asset));
    add("POST", "/enter", Nothing, post(start::enter));
    add("GET", "/deck/{*format}", Nothing, get(builder::page));

    add(
        "GET",
        "/api/picture/{*format}",
        Nothing,
        get(builder::picture),
    );
    add("GET", "/api/file", Host, get(edited::read));
    add("PUT", "/api/file", Host, put(edited::save));

    add("GET", "/play", Nothing, get(tables::opening::ask));
    add("POST", "/play", Nothing, post(tables::opening::open));
    add("GET", "/t/file", Host, get(tables::played::page));
    add("GET", "/t/{table}/{key}", Seat, get(tables::seat::page));
    add("POST", "/t/{table}/{key}", Seat, post(tables::lobby::bring));
    let at_table = [
        ("GET", "/api/t/{table}/{key}/view", get(tables::seat::view)),
        ("GET", "/api/t/{table}/{key}/mat", get(tables::seat::mat)),
        ("GET", "/api/t/{table}/{key}/card", get(tables::seat::card)),
        (
            "GET",
            "/api/t/{table}/{key}/face.svg",
            get(tables::seat::face),
        ),
        (
            "GET",
            "/api/t/{table}/{key}/changes",
            get(tables::seat::changes),
        ),
        ("GET", "/api/t/{table}/{key}/file", get(tables::seat::file)),
        ("POST", "/api/t/{table}/{key}/do", post(tables::seat::act)),
        ("POST", "/api/t/{table}/{key}/next", post(tables::next::lay)),
    ];
    for (method, path, to) in at_table {
        add(method, path, Seat, to);
    }

    add("GET", "/desk/new", Host, get(desk::opening::new));
    add("POST", "/desk/new", Host, post(desk::opening::create));
    add("GET", "/e/{event}", Nothing, get(desk::hand_in::page));
    add("POST", "/e/{event}", Nothing, post(desk::hand_in::hand_in));
    add("POST", "/e/{event}/enter", Nothing, post(desk::enter));
    add("GET", "/e/{event}/mine", Player, get(desk::hand_in::mine));
    add(
        "POST",
        "/e/{event}/mine",
        Player,
        post(desk::hand_in::change),
    );
    add(
        "GET",
        "/e/{event}/mine/sheet",
        Player,
        get(desk::hand_in::sheet),
    );
    let organiser: [(&'static str, &'static str, MethodRouter<Shared>); 12] = [
        ("GET", "/e/{event}/desk", get(desk::organise::page)),
        ("GET", "/e/{event}/desk/state", get(desk::organise::state)),
        (
            "GET",
            "/e/{event}/desk/player/{player}",
            get(desk::organise::player),
        ),
        (
            "POST",
            "/e/{event}/desk/decide",
            post(desk::organise::decide),
        ),
        (
            "POST",
            "/e/{event}/desk/import",
            post(desk::organise::import),
        ),
        (
            "POST",
            "/e/{event}/desk/check/{player}",
            post(desk::organise::check),
        ),
        (
            "POST",
            "/e/{event}/desk/enter/{player}",
            post(desk::organise::enter),
        ),
        ("POST", "/e/{event}/desk/key", post(desk::organise::key)),
        ("GET", "/e/{event}/desk/cards", get(desk::organise::cards)),
        ("GET", "/e/{event}/desk/code.svg", get(desk::organise::code)),
        ("GET", "/e/{event}/desk/sheets", get(desk::organise::sheets)),
        (
            "GET",
            "/e/{event}/desk/export/{file}",
            get(desk::organise::export),
        ),
    ];
    for (method, path, to) in organiser {
        add(method, path, Organiser, to);
    }
    // These work something out of a body that is too long for an address, and keep nothing.
    let computed = [
        ("/api/ask", post(builder::ask)),
        ("/api/e/{event}/check", post(desk::hand_in::check)),
        ("/api/e/{event}/ask", post(desk::hand_in::ask)),
    ];
    entries.extend(computed.map(|(path, to)| {
        let route = Route {
            method: "POST",
            path,
            needs: Nothing,
            changes: false,
        };
        (route, to)
    }));
    entries
}

/// Every route with who may take it.
pub fn table() -> Vec<Route> {
    entries().into_iter().map(|(route, _)| route).collect()
}

/// The service: every route behind its door, all behind the guard.
pub(super) fn router(app: Shared) -> Router {
    let mut router = Router::new();
    for (route, to) in entries() {
        let door = middleware::from_fn_with_state((app.clone(), route), door);
        router = router.route(route.path, to.layer(door));
    }
    let guard = middleware::from_fn_with_state(app.clone(), guard::guard);
    router
        .fallback(async || Trouble::none("such page"))
        .method_not_allowed_fallback(async || {
            Trouble::new(405, "This address takes no such request.", "")
        })
        .layer(guard)
        .with_state(app)
}

/// Lets through who may take the route.
async fn door(
    State((app, route)): State<(Shared, Route)>,
    Extension(who): Extension<guard::Who>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let params = RawPathParams::from_request_parts(&mut parts, &()).await;
    let params = params.ok();
    let part = |name: &str| {
        let mut all = params.iter().flatten();
        all.find(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())
    };
    let event = part("event");
    let at = part("table").zip(part("key"));
    let json = parts.uri.path().starts_with("/api/");
    let mut request = Request::from_parts(parts, body);
    let admitted = match (route.needs, event) {
        (Needs::Nothing, None) => Ok(()),
        (Needs::Seat, _) => match at {
            Some((table, key)) => match tables::open(&app, &table, &key).await {
                Ok(opened) => {
                    request.extensions_mut().insert(opened);
                    Ok(())
                }
                Err(trouble) if json => return trouble.json(),
                Err(trouble) => Err(trouble.into_response()),
            },
            None => Err(Trouble::defect().into_response()),
        },
        (Needs::Host, None) => match who.host {
            true => Ok(()),
            false => Err(desk::closed(
                "/enter",
                "This is for whoever runs this server.",
                &who,
            )),
        },
        (needs, Some(event)) => match desk::open(&app, &who, &event, needs).await {
            Ok(opened) => {
                request.extensions_mut().insert(opened);
                Ok(())
            }
            Err(refused) => Err(refused),
        },
        (Needs::Organiser | Needs::Player, None) => Err(Trouble::defect().into_response()),
    };
    match admitted {
        // A client that leaves drops what answers it. What changes something is a task of its own,
        // so that nothing is cut between writing and remembering.
        Ok(()) if route.changes => match tokio::spawn(next.run(request)).await {
            Ok(response) => response,
            Err(_) if json => Trouble::defect().json(),
            Err(_) => Trouble::defect().into_response(),
        },
        Ok(()) => next.run(request).await,
        Err(refused) if json => Trouble::new(
            refused.status().as_u16(),
            "This needs a key.",
            "Open the page again.",
        )
        .json(),
        Err(refused) => refused,
    }
}
