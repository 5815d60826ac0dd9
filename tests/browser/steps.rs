//! Stories as lines of text: what people do and see, one thing a line.
//!
//! `VERB REST`, or `NAME: VERB REST` where two people have a browser each, `all:` for both. Files
//! `stories/*.txt` have the stories, each below `# name`. `{deck:FILE}` is a sample deck, `{NAME}` what
//! `let NAME SCRIPT` read or `evening.rs` planted, `\n` an end of a line. A story may begin with the
//! files of its folder (`write FILE TEXT`, `sh COMMAND`) and the call that is played (`serve CALL`); `waits
//! COMMAND` waits until a command succeeds there.

use super::driver::{Browser, Done, SERVE, Server, Stage, played, shell};
use std::path::Path;
use std::time::{Duration, Instant};

const FILES: [&str; 6] = [
    include_str!("stories/builder.txt"),
    include_str!("stories/evening.txt"),
    include_str!("stories/event.txt"),
    include_str!("stories/files.txt"),
    include_str!("stories/start.txt"),
    include_str!("stories/table.txt"),
];

const KEYS: [(&str, &str); 6] = [
    ("{Enter}", "\u{e007}"),
    ("{Down}", "\u{e015}"),
    ("{Left}", "\u{e012}"),
    ("{Right}", "\u{e014}"),
    ("{Esc}", "\u{e00c}"),
    ("{Undo}", "\u{e009}z\u{e000}"),
];

/// Every story by its name.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let stories = FILES.into_iter().flat_map(|text| text.split("\n# ").skip(1));
    stories.filter_map(|story| story.split_once('\n'))
}

/// Whether a story has two people.
pub(crate) fn has_two(story: &str) -> bool {
    story.lines().any(|line| line.starts_with("ben: "))
}

/// Plays a story in one browser, or in two.
pub(crate) fn run(browsers: &[Browser], story: &str) -> Done {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = folder.path();
    let mut known = super::evening::planted();
    let lines: Vec<&str> =
        story.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
    let served = lines.iter().position(|line| line.starts_with("serve "));
    let (before, lines) = lines.split_at(served.unwrap_or(0));
    for line in before {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        in_folder(folder, verb, &filled(rest, &known)?).map_err(|why| format!("{line}\n{why}"))?;
    }
    let call = lines[0].strip_prefix("serve ");
    let mut server = Server::start(folder, call.unwrap_or(SERVE))?;
    let link = server.link.clone();
    played(browsers, folder, &link, async |stages| {
        for line in &lines[usize::from(call.is_some())..] {
            let done = play(stages, &mut server, folder, line, &mut known).await;
            done.map_err(|why| format!("{line}\n{why}"))?;
        }
        Ok(())
    })
}

/// The rest of a line with what it names.
fn filled(rest: &str, known: &[(String, String)]) -> Result<String, String> {
    let mut rest = rest.replace("\\n", "\n");
    while let Some((before, after)) = rest.split_once("{deck:") {
        let (name, after) = after.split_once('}').ok_or("no }")?;
        let file = format!("{}/decks/{name}", env!("CARGO_MANIFEST_DIR"));
        let deck = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        rest = format!("{before}{deck}{after}");
    }
    let known = known.iter();
    Ok(known.fold(rest, |rest, (name, value)| rest.replace(&format!("{{{name}}}"), value)))
}

/// A step in the folder of a story, without a browser.
fn in_folder(folder: &Path, verb: &str, rest: &str) -> Done {
    match verb {
        "write" => {
            let (name, text) = rest.split_once(' ').ok_or("no text")?;
            std::fs::write(folder.join(name), text).map_err(|error| error.to_string())
        }
        "large" => super::published::large(folder).map(drop),
        "sh" => shell(folder, rest),
        _ => Err(format!("no such step: {verb}")),
    }
}

async fn play(
    stages: &[Stage],
    server: &mut Server,
    folder: &Path,
    line: &str,
    known: &mut Vec<(String, String)>,
) -> Done {
    let who = ["ann: ", "ben: ", "all: "];
    let at = who.iter().position(|who| line.starts_with(who));
    let rest = at.map_or(line, |at| &line[who[at].len()..]);
    let whose = match at {
        Some(2) => stages,
        at => std::slice::from_ref(&stages[at.unwrap_or(0)]),
    };
    let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let rest = filled(rest, known)?;
    match verb {
        "stop" => server.stop(),
        "again" => server.again()?,
        "let" => {
            let (name, script) = rest.split_once(' ').ok_or("no script")?;
            let value = whose[0].script(&format!("return {script}"), vec![]).await?;
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            known.retain(|(other, _)| other != name);
            known.push((name.to_owned(), value));
        }
        "every" => every(whose, &rest).await?,
        "waits" => {
            let began = Instant::now();
            while let Err(why) = shell(folder, &rest) {
                if began.elapsed() > Duration::from_secs(30) {
                    return Err(why);
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        "give" => {
            let text = std::fs::read_to_string(folder.join(&rest));
            let text = text.map_err(|error| error.to_string())?;
            give(&whose[0], &rest, &text).await?;
        }
        "write" | "sh" => in_folder(folder, verb, &rest)?,
        verb => {
            for stage in whose {
                step(stage, verb, &rest).await?;
            }
        }
    }
    Ok(())
}

/// Runs a script in each browser in turn, some milliseconds apart, until its answer is true.
async fn every(stages: &[Stage], rest: &str) -> Done {
    let (pause, script) = rest.split_once(' ').ok_or("no pause")?;
    let pause = Duration::from_millis(pause.parse().map_err(|_| "no pause")?);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        for stage in stages {
            if stage.script(script, vec![]).await? == true {
                return Ok(());
            }
            tokio::time::sleep(pause).await;
        }
    }
    Err("it does not end".to_owned())
}

async fn step(stage: &Stage, verb: &str, rest: &str) -> Done {
    let parts = rest.split_once(" | ").ok_or_else(|| format!("no | in {rest}"));
    let keys = KEYS.iter().fold(rest.to_owned(), |keys, (name, key)| keys.replace(name, key));
    match verb {
        "size" => {
            let (width, height) = rest.split_once(' ').ok_or("no size")?;
            let number = |text: &str| text.parse().map_err(|_| "no size");
            stage.size(number(width)?, number(height)?).await
        }
        "go" if rest == "{link}" => stage.go(&stage.link).await,
        "go" => stage.go(rest).await,
        "reload" => stage.reload().await,
        "find" => stage.find(rest).await.map(drop),
        "click" => stage.click(rest).await,
        "text" => stage.click_text(parts.clone()?.0, parts?.1).await,
        "fill" => stage.fill(parts.clone()?.0, parts?.1).await,
        "press" => stage.press(&keys).await,
        "keys" => {
            stage.script("document.activeElement.blur()", vec![]).await?;
            stage.press(&keys).await
        }
        "paste" => super::builder::paste(stage, rest).await,
        "drop" => give(stage, parts.clone()?.0, parts?.1).await,
        "timed" => super::builder::timed(stage, rest).await,
        "tab" => tab(stage, rest).await,
        "js" => stage.script(rest, vec![]).await.map(drop),
        "sees" => stage.sees(rest).await,
        "shows" => {
            let (number, css) = rest.split_once(' ').ok_or("no number")?;
            stage.shows(css, number.parse().map_err(|_| "no number")?).await
        }
        "until" => stage.until(rest, rest).await,
        "verdict" => stage.verdict(rest).await,
        "axe" => stage.accessible(rest).await,
        "picture" => stage.picture(rest).await,
        "seen" => seen(stage, rest).await,
        "forget" => {
            let done = stage.client.delete_all_cookies().await;
            done.map_err(|error| error.to_string())
        }
        _ => Err(format!("no such step: {verb}")),
    }
}

/// Asks axe, and keeps pictures at three sizes, light and dark.
pub(super) async fn seen(stage: &Stage, name: &str) -> Done {
    stage.accessible(name).await?;
    let sizes = [(390, 844), (1920, 1080), (1280, 800)];
    for (width, height) in sizes {
        stage.size(width, height).await?;
        stage.script("scrollTo(0, 0)", vec![]).await?;
        stage.picture(&format!("{name}-{width}")).await?;
        stage.dark(true).await?;
        stage.picture(&format!("{name}-{width}-dark")).await?;
        stage.dark(false).await?;
    }
    Ok(())
}

/// Opens another tab, or goes to that of a number.
async fn tab(stage: &Stage, which: &str) -> Done {
    let text = |error: fantoccini::error::CmdError| error.to_string();
    let handle = match which.parse::<usize>() {
        Ok(at) => stage.client.windows().await.map_err(text)?.swap_remove(at),
        Err(_) => stage.client.new_window(true).await.map_err(text)?.handle,
    };
    stage.client.switch_to_window(handle).await.map_err(text)
}

/// Gives the page a file, as somebody who chooses it there.
pub(super) async fn give(stage: &Stage, name: &str, text: &str) -> Done {
    let script = "
        const files = new DataTransfer();
        files.items.add(new File([arguments[1]], arguments[0]));
        const input = document.querySelector('input[type=file]');
        input.files = files.files;
        input.dispatchEvent(new Event('change'));";
    stage.script(script, vec![name.into(), text.into()]).await.map(drop)
}
