//! A browser with its driver, a server with its data, and what a person does with them.

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take to be seen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser that pages are tried in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Browser {
    Chromium,
    Firefox,
}

/// A process that ends with the test, however that ends.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|file| file.is_file())
}

impl Browser {
    pub(crate) const ALL: [Browser; 2] = [Browser::Chromium, Browser::Firefox];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Browser::Chromium => "chromium",
            Browser::Firefox => "firefox",
        }
    }

    /// The command that would bring it.
    pub(crate) fn brought_by(self) -> &'static str {
        match self {
            Browser::Chromium => "apt-get install chromium chromium-driver",
            Browser::Firefox => "apt-get install firefox-esr && cargo install geckodriver",
        }
    }

    fn programs(self) -> (Option<PathBuf>, Option<PathBuf>) {
        let first = |names: &[&str]| names.iter().find_map(|name| on_path(name));
        match self {
            Browser::Chromium => {
                (first(&["chromium", "chromium-browser", "google-chrome"]), on_path("chromedriver"))
            }
            Browser::Firefox => (first(&["firefox-esr", "firefox"]), on_path("geckodriver")),
        }
    }

    pub(crate) fn is_there(self) -> bool {
        let (browser, driver) = self.programs();
        browser.is_some() && driver.is_some()
    }

    /// Starts the driver on a port of its own.
    fn driver(self) -> Result<(Ended, String), String> {
        let (Some(_), Some(driver)) = self.programs() else {
            return Err(format!("{} is missing; `{}` brings it", self.name(), self.brought_by()));
        };
        // A port that is free now; the driver says when it listens there.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(driver)
            .args([format!("--port={port}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let ended = Ended(child);
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if began.elapsed() > PATIENCE {
                return Err("the driver does not listen".to_owned());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok((ended, format!("http://127.0.0.1:{port}")))
    }

    fn wishes(self, profile: &Path) -> serde_json::Map<String, Value> {
        let (program, _) = self.programs();
        let program = program.map(|program| program.display().to_string());
        let wishes = match self {
            Browser::Chromium => json!({"goog:chromeOptions": {"binary": program, "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", format!("--user-data-dir={}", profile.display()),
            ]}}),
            Browser::Firefox => {
                json!({"moz:firefoxOptions": {"binary": program, "args": ["-headless"]}})
            }
        };
        match wishes {
            Value::Object(wishes) => wishes,
            _ => serde_json::Map::new(),
        }
    }
}

/// What a story has: a server, a browser, and hands.
pub(crate) struct Stage {
    pub(crate) client: Client,
    pub(crate) browser: Browser,
    /// The server's address, without a slash at the end.
    pub(crate) base: String,
    /// The link that the server printed, with its key.
    pub(crate) link: String,
    // The browser ends with its driver.
    _driver: Ended,
}

pub(crate) type Done = Result<(), String>;

/// The program that is tried: the one that was built with the tests, or the one that
/// `DECKLAW_PROGRAM` names, since how fast the pages are is said of a program as it is released.
pub(crate) fn program() -> PathBuf {
    let named = std::env::var_os("DECKLAW_PROGRAM");
    named.map_or_else(|| env!("CARGO_BIN_EXE_decklaw").into(), PathBuf::from)
}

/// A call of it in a folder, without anybody's configuration.
fn command(folder: &Path) -> Command {
    let mut command = Command::new(program());
    command.current_dir(folder);
    command.env("DECKLAW_CONFIG", folder.join("none")).env("XDG_DATA_HOME", folder.join("home"));
    command
}

/// What it answers to some words and an input; the answer "no" is one, too.
pub(crate) fn decklaw(folder: &Path, words: &[&str], typed: &str) -> Result<String, String> {
    let mut child = command(folder)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let typed = typed.to_owned();
    let input = child.stdin.take();
    // Both pipes at once: neither end waits for the other.
    let writing =
        std::thread::spawn(move || input.map(|mut input| input.write_all(typed.as_bytes())));
    let answer = child.wait_with_output().map_err(|error| error.to_string())?;
    let _ = writing.join();
    match answer.status.code() {
        Some(0 | 1) => Ok(String::from_utf8_lossy(&answer.stdout).into_owned()),
        _ => Err(format!("{words:?}: {}", String::from_utf8_lossy(&answer.stderr))),
    }
}

/// Runs a command of the shell in a folder; it must succeed.
pub(crate) fn shell(folder: &Path, call: &str) -> Done {
    let (program, path) = (program(), std::env::var("PATH").unwrap_or_default());
    let own = program.parent().unwrap_or(Path::new("")).display();
    let ran = Command::new("sh")
        .args(["-c", call])
        .current_dir(folder)
        .env("PATH", format!("{own}:{path}"))
        .env("DECKLAW_CONFIG", folder.join("none"))
        .output()
        .map_err(said(call))?;
    let words = || String::from_utf8_lossy(&ran.stderr).into_owned();
    if ran.status.success() { Ok(()) } else { Err(words()) }
}

/// How a server is started with its data in its folder, and an invented list, which holds for one game
/// alone.
pub(crate) const SERVE: &str = "serve --port 0 --data data --banlist vainqueur-sample-2026-01";

/// A program that serves from a folder, which it finds again when it is started again.
pub(crate) struct Server {
    process: Option<Ended>,
    folder: PathBuf,
    call: String,
    /// The address that it prints, with its key.
    pub(crate) link: String,
}

impl Server {
    /// Starts a call in a folder.
    pub(crate) fn start(folder: &Path, call: &str) -> Result<Server, String> {
        let (folder, call) = (folder.to_owned(), call.to_owned());
        let mut server = Server { process: None, folder, call, link: String::new() };
        server.again()?;
        Ok(server)
    }

    /// Ends it without a word.
    pub(crate) fn stop(&mut self) {
        self.process = None;
    }

    /// Ends it without a word, and starts another at the same address.
    pub(crate) fn again(&mut self) -> Done {
        self.stop();
        let mut child = command(&self.folder)
            .args(self.call.split(' '))
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let out = child.stdout.take();
        self.process = Some(Ended(child));
        let mut line = String::new();
        BufReader::new(out.ok_or("the server says nothing")?)
            .read_line(&mut line)
            .map_err(|error| error.to_string())?;
        line.trim().trim_start_matches("decklaw is at ").clone_into(&mut self.link);
        let port = self.link.split("/#").next().and_then(|base| base.rsplit(':').next());
        let port = format!("--port {}", port.unwrap_or("0"));
        self.call = self.call.replace("--port 0", &port);
        Ok(())
    }
}

impl Stage {
    /// A browser of its own, with a profile in this folder, at the address that a program printed.
    async fn at(browser: Browser, profile: &Path, link: &str) -> Result<Stage, String> {
        let (driver, address) = browser.driver()?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(browser.wishes(profile))
            .connect(&address)
            .await
            .map_err(|error| format!("the browser does not start: {error}"))?;
        Ok(Stage {
            client,
            browser,
            base: link.split("/#").next().unwrap_or_default().to_owned(),
            link: link.to_owned(),
            _driver: driver,
        })
    }

    /// What the page says, behind what went wrong.
    pub(crate) async fn with_page(&self, why: String) -> String {
        let script = "return document.body.innerText";
        let text = self.script(script, vec![]).await.unwrap_or_default();
        let text = text.as_str().unwrap_or_default();
        format!("{why}\n--- the page in {}:\n{text}", self.browser.name())
    }

    /// Ends the browser before its driver ends.
    pub(crate) async fn close(self) {
        let _ = self.client.clone().close().await;
    }
}

/// Plays in some browsers, each with a profile of its own in a folder, within some minutes.
pub(crate) fn played(
    browsers: &[Browser],
    folder: &Path,
    link: &str,
    play: impl AsyncFnOnce(&[Stage]) -> Done,
) -> Done {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let all = async {
            let mut stages = Vec::new();
            for (number, browser) in browsers.iter().enumerate() {
                let profile = folder.join(format!("profile {number}"));
                stages.push(Stage::at(*browser, &profile, link).await?);
            }
            let mut ended = play(&stages).await;
            for stage in stages {
                if let Err(why) = ended {
                    ended = Err(stage.with_page(why).await);
                }
                stage.close().await;
            }
            ended
        };
        let answer = tokio::time::timeout(Duration::from_secs(720), all).await;
        answer.unwrap_or_else(|_| Err("it took longer than 12 minutes".to_owned()))
    })
}

/// Whether what had the focus was drawn anew before it took a key.
fn is_redrawn(error: &str) -> bool {
    ["stale", "not interactable"].iter().any(|said| error.contains(said))
}

fn said<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> String + '_ {
    move |error| format!("{what}: {error}")
}

impl Stage {
    pub(crate) async fn size(&self, width: u32, height: u32) -> Done {
        self.client.set_window_size(width, height).await.map_err(said("size"))
    }

    pub(crate) async fn go(&self, path: &str) -> Done {
        let to =
            if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        self.client.goto(&to).await.map_err(said(path))
    }

    pub(crate) async fn find(&self, css: &str) -> Result<Element, String> {
        let wait = self.client.wait().at_most(PATIENCE);
        wait.for_element(Locator::Css(css)).await.map_err(said(css))
    }

    pub(crate) async fn click(&self, css: &str) -> Done {
        let element = self.find(css).await?;
        let began = Instant::now();
        loop {
            match element.click().await {
                Ok(()) => return Ok(()),
                // What is drawn anew right now is there again in a moment.
                Err(_) if began.elapsed() < PATIENCE => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    let again = self.find(css).await?;
                    if again.click().await.is_ok() {
                        return Ok(());
                    }
                }
                Err(error) => return Err(said(css)(error)),
            }
        }
    }

    /// Writes into a field, as if it were pasted. The page finds the field and fills it in one
    /// step, so it cannot be drawn anew in between.
    pub(crate) async fn fill(&self, css: &str, text: &str) -> Done {
        self.find(css).await?;
        let script = "(() => {
            const field = document.querySelector(SELECTOR);
            if (!field) return false;
            field.value = TEXT;
            field.dispatchEvent(new Event('input', {bubbles: true}));
            return true;
        })()";
        let script = script
            .replace("SELECTOR", &json!(css).to_string())
            .replace("TEXT", &json!(text).to_string());
        self.until(css, &script).await
    }

    /// Keys to whatever has the focus, as a person presses them.
    pub(crate) async fn press(&self, keys: &str) -> Done {
        let began = Instant::now();
        loop {
            let element = self.client.active_element().await.map_err(said("focus"))?;
            match element.send_keys(keys).await {
                // What was drawn anew in between took no key; its heir has the focus.
                Err(error) if began.elapsed() < PATIENCE && is_redrawn(&error.to_string()) => {}
                answer => return answer.map_err(said(keys)),
            }
        }
    }

    pub(crate) async fn script(&self, script: &str, with: Vec<Value>) -> Result<Value, String> {
        self.client.execute(script, with).await.map_err(said("script"))
    }

    /// Waits until a script's answer is true.
    pub(crate) async fn until(&self, what: &str, script: &str) -> Done {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if self.script(&format!("return {script}"), vec![]).await == Ok(Value::Bool(true)) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        Err(format!("waited in vain for: {what}"))
    }

    pub(crate) async fn sees(&self, text: &str) -> Done {
        self.until(text, &format!("document.body.innerText.includes({})", json!(text))).await
    }

    /// Waits until N elements match a selector.
    pub(crate) async fn shows(&self, css: &str, number: usize) -> Done {
        let script = format!("document.querySelectorAll({}).length === {number}", json!(css));
        self.until(css, &script).await
    }

    /// Clicks the element of a selector that has this text.
    pub(crate) async fn click_text(&self, css: &str, text: &str) -> Done {
        let script = format!(
            "(() => {{
                const all = [...document.querySelectorAll({})];
                const found = all.find((one) => one.textContent === {});
                found?.click();
                return found !== undefined;
            }})()",
            json!(css),
            json!(text)
        );
        self.until(text, &script).await
    }

    pub(crate) async fn reload(&self) -> Done {
        self.client.refresh().await.map_err(said("reload"))
    }

    /// The builder is ready, with this verdict on the deck that is shown.
    pub(crate) async fn verdict(&self, word: &str) -> Done {
        self.find("#app[data-ready]").await?;
        let fresh = format!(".strip:not(.stale) [data-verdict={word}]");
        self.find(&fresh).await.map(drop)
    }

    /// Keeps a picture of the page.
    pub(crate) async fn picture(&self, name: &str) -> Done {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        std::fs::create_dir_all(&folder).map_err(said(name))?;
        let png = self.client.screenshot().await.map_err(said(name))?;
        std::fs::write(folder.join(format!("{}-{name}.png", self.browser.name())), png)
            .map_err(said(name))
    }

    /// Asks axe, where `DECKLAW_AXE` says where its script is: in light and dark, on a phone and
    /// on a desk, where no page is wider than the window.
    pub(crate) async fn accessible(&self, what: &str) -> Done {
        let Some(file) = std::env::var_os("DECKLAW_AXE") else {
            return Ok(());
        };
        let axe = std::fs::read_to_string(&file).map_err(said("DECKLAW_AXE"))?;
        self.script(&axe, vec![]).await?;
        let (width, height) = self.client.get_window_size().await.map_err(said(what))?;
        for wide in [390, 1280] {
            self.size(wide, 844).await?;
            let beyond = "return document.documentElement.scrollWidth - innerWidth";
            let beyond = self.script(beyond, vec![]).await?;
            if beyond.as_i64().is_none_or(|beyond| beyond > 0) {
                return Err(format!("{what}, {wide} wide: {beyond} pixels stand out"));
            }
            for is_dark in [true, false] {
                self.dark(is_dark).await?;
                let scheme = if is_dark { "dark" } else { "light" };
                self.axe(&format!("{what}, {scheme}, {wide} wide")).await?;
            }
        }
        let size = |pixels: u64| u32::try_from(pixels).map_err(said(what));
        self.size(size(width)?, size(height)?).await
    }

    /// Shows the page as to readers who want dark colours, or as to all others: the rules of its
    /// styles that are for the former hold always, or never.
    pub(crate) async fn dark(&self, is: bool) -> Done {
        let script = "
            const [is] = arguments, DARK = /prefers-color-scheme: dark/;
            window.darkRules ??= [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => DARK.test(rule.media?.mediaText));
            for (const rule of window.darkRules) rule.media.mediaText = is ? 'all' : 'not all';
            document.documentElement.style.colorScheme = is ? 'dark' : 'light';
            // Colours that are on their way have arrived.
            for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
            return window.darkRules.length > 0;";
        match self.script(script, vec![is.into()]).await? {
            Value::Bool(true) => Ok(()),
            _ => Err("the page has no dark colours".to_owned()),
        }
    }

    async fn axe(&self, what: &str) -> Done {
        let ask = "const done = arguments[0]; axe.run().then((answer) => done(answer.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)));";
        let found = self.client.execute_async(ask, vec![]).await.map_err(said("axe"))?;
        match found.as_array() {
            Some(found) if found.is_empty() => Ok(()),
            _ => Err(format!("axe finds on {what}: {found}")),
        }
    }
}
