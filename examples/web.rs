//! A handler of a web server: the text of a deck comes in, and its report goes out as JSON.

use axum::{Json, Router, extract::State, routing::post};
use decklaw::{Game, Report};
use std::io::{Read, Write};
use std::net::TcpStream;

async fn check(State(game): State<Game>, deck: String) -> Json<Report> {
    Json(game.check(deck))
}

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::built_in("shell")?;
    let app = Router::new().route("/check", post(check)).with_state(game);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?;
    runtime.spawn(async move { axum::serve(listener, app).await });
    // Somebody asks.
    let deck = "Main\n9 Moss Sprite\n";
    let mut asked = TcpStream::connect(address)?;
    let head =
        "POST /check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/plain";
    write!(asked, "{head}\r\nContent-Length: {}\r\n\r\n{deck}", deck.len())?;
    let mut answer = String::new();
    asked.read_to_string(&mut answer)?;
    let report = answer.split("\r\n\r\n").nth(1).ok_or("no answer")?;
    assert!(report.contains("\"verdict\":\"illegal\""), "{answer}");
    println!("{report}");
    Ok(())
}
