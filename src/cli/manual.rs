//! Pages of the documentation as text for a terminal.

use super::{Run, terminal};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A page of Markdown as text: headings are underlined, code is indented, tables are drawn, and
/// links are their words.
pub(super) fn page(markdown: &str, run: &Run) -> String {
    let mut page = Page { run, out: String::new(), words: String::new(), indent: 0, table: None };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        page.add(event);
    }
    page.out
}

struct Page<'r> {
    run: &'r Run,
    out: String,
    /// The text of the paragraph, heading or cell that is open.
    words: String,
    /// How many lists are open.
    indent: usize,
    /// The rows of the table that is open; the first are its headings.
    table: Option<Vec<Vec<String>>>,
}

impl Page<'_> {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::List(_)) => {
                self.paragraph();
                self.indent += 1;
            }
            Event::Start(Tag::Table(_)) => self.table = Some(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                self.table.iter_mut().for_each(|rows| rows.push(Vec::new()));
            }
            Event::Text(text) => self.words += &text,
            Event::Code(code) if self.table.is_some() => self.words += &code,
            Event::Code(code) => self.words += &format!("`{code}`"),
            Event::SoftBreak | Event::HardBreak => self.words.push(' '),
            Event::End(end) => self.end(end),
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Heading(level) => {
                let heading = std::mem::take(&mut self.words);
                let mark = if level == HeadingLevel::H1 { "=" } else { "-" };
                let line = mark.repeat(heading.chars().count());
                self.block(&format!("{heading}\n{line}\n"));
            }
            TagEnd::CodeBlock => {
                let code = std::mem::take(&mut self.words);
                let lines: Vec<String> = code.lines().map(|line| format!("  {line}")).collect();
                let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
                self.block(&(lines.join("\n") + "\n"));
            }
            TagEnd::Paragraph | TagEnd::Item => self.paragraph(),
            TagEnd::List(_) => self.indent = self.indent.saturating_sub(1),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                let row = self.table.as_mut().and_then(|rows| rows.last_mut());
                row.into_iter().for_each(|row| row.push(cell.clone()));
            }
            TagEnd::Table => {
                let mut rows = self.table.take().unwrap_or_default().into_iter();
                let heads = rows.next().unwrap_or_default();
                let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
                let mut table = terminal::table(&heads);
                for row in rows {
                    table.add_row(row);
                }
                let table = self.run.shown(table);
                self.block(&table);
            }
            _ => {}
        }
    }

    /// Writes the words as a paragraph, or as an item of the open list.
    fn paragraph(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.is_empty() {
            return;
        }
        let width = terminal::width().saturating_sub(2 * self.indent);
        let lines = terminal::wrapped(&words, width);
        if self.indent == 0 {
            return self.block(&(lines.join("\n") + "\n"));
        }
        let indent = "  ".repeat(self.indent - 1);
        for (at, line) in lines.iter().enumerate() {
            let mark = if at == 0 { "- " } else { "  " };
            self.out += &format!("{indent}{mark}{line}\n");
        }
    }

    /// Adds a block below an empty line.
    fn block(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out += text;
    }
}
