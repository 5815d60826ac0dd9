//! A line from whoever sits at the keyboard. On a screen Tab completes words.

use super::asking::is_screen;
use super::{Failure, files};
use crate::text::harmless;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use std::io::{self, BufRead};

/// Asks for a line; `None` at the end of input.
pub(super) fn ask(question: &str) -> Result<Option<String>, Failure> {
    ask_with(question, &|_| Vec::new())
}

/// The same, where the words of a line can be completed.
pub(super) fn ask_with(
    question: &str,
    complete: &dyn Fn(&str) -> Vec<String>,
) -> Result<Option<String>, Failure> {
    files::print(question)?;
    if is_screen()
        && let Some(keys) = Keys::taken()
    {
        let line = keys.line(question, complete);
        drop(keys);
        files::print("\n")?;
        return line;
    }
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line.trim().to_owned())),
        Err(error) => Err(Failure::refused(format!("cannot read: {error}"))),
    }
}

/// The keyboard, key by key, until it is given back.
struct Keys;

impl Keys {
    fn taken() -> Option<Keys> {
        enable_raw_mode().ok().map(|()| Keys)
    }

    fn line(
        &self,
        question: &str,
        complete: &dyn Fn(&str) -> Vec<String>,
    ) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        loop {
            let read = event::read();
            let event = read.map_err(|error| Failure::refused(format!("cannot read: {error}")))?;
            let key = match event {
                Event::Key(key) if key.kind != KeyEventKind::Release => key,
                Event::Paste(text) => {
                    line.push_str(text.lines().next().unwrap_or_default());
                    redraw(question, &line)?;
                    continue;
                }
                _ => continue,
            };
            let control = key.modifiers.contains(KeyModifiers::CONTROL);
            match key.code {
                KeyCode::Char('c' | 'd') if control => return Ok(None),
                KeyCode::Char('u') if control => line.clear(),
                // Enter is a line feed where a program types.
                KeyCode::Char('j') if control => return Ok(Some(line.trim().to_owned())),
                KeyCode::Char(_) if control => continue,
                KeyCode::Char(letter) => line.push(letter),
                KeyCode::Backspace => drop(line.pop()),
                KeyCode::Enter => return Ok(Some(line.trim().to_owned())),
                KeyCode::Tab => {
                    let all = complete(&line);
                    completed(&mut line, &all)?;
                }
                _ => continue,
            }
            redraw(question, &line)?;
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that cannot be set back is gone.
        let _ = disable_raw_mode();
    }
}

fn redraw(question: &str, line: &str) -> Result<(), Failure> {
    files::print(&format!("\r\u{1b}[K{question}{}", harmless(line, false)))
}

/// Completes the last word as far as all that it could be agree; shows them where it says no more.
fn completed(line: &mut String, all: &[String]) -> Result<(), Failure> {
    let Some(first) = all.first() else {
        return Ok(());
    };
    let agree = all.iter().fold(first.as_str(), |agree, other| {
        let same = agree.chars().zip(other.chars());
        let length: usize = same
            .take_while(|(one, other)| one == other)
            .map(|(letter, _)| letter.len_utf8())
            .sum();
        &agree[..length]
    });
    let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let longer = agree.len() > line.len() - start;
    line.replace_range(start.., agree);
    match all.len() {
        1 => line.push(' '),
        _ if !longer => files::print(&format!("\r\n\u{1b}[K{}\r\n", all.join("  ")))?,
        _ => (),
    }
    Ok(())
}
