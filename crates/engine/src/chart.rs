//! Bar charts as pictures: headings and bars, from the top down.

use decklaw_text::text::{escape_control, markup};
use std::fmt::Write as _;

const WIDTH: u32 = 880;
const ROW: u32 = 22;
const LEFT: u32 = 120;
const BAR: u32 = 460;

/// A bar chart as it is drawn; a standalone SVG document, once it is finished.
#[derive(Debug, Clone)]
pub struct Picture {
    title: String,
    rows: String,
    y: u32,
}

impl Picture {
    /// An empty chart.
    pub fn new(title: &str) -> Picture {
        Picture { title: escaped(title), rows: String::new(), y: 10 }
    }

    /// Writes a heading above the bars that follow.
    pub fn heading(&mut self, text: &str) {
        self.y += ROW;
        // Writing to a string cannot fail; so below.
        let _ = writeln!(
            self.rows,
            r#"<text x="10" y="{}" font-weight="bold">{}</text>"#,
            self.y,
            escaped(text)
        );
        self.y += 8;
    }

    /// Writes what must be known of the bars that follow, below their heading.
    pub fn remark(&mut self, text: &str) {
        self.y += 12;
        let _ = writeln!(
            self.rows,
            r##"<text x="10" y="{}" font-size="11" fill="#555555">{}</text>"##,
            self.y,
            escaped(text)
        );
        self.y += 6;
    }

    /// Draws a bar whose length is a share of the longest possible, from 0 to 1, between
    /// what it represents and its value in words.
    pub fn bar(&mut self, label: &str, share: f64, value: &str) {
        let width = f64::from(BAR) * share.clamp(0.0, 1.0);
        let (base, end, label) = (self.y + 15, LEFT + BAR + 10, escaped(label));
        let _ = writeln!(
            self.rows,
            r##"<text x="{}" y="{base}" text-anchor="end">{label}</text><rect x="{LEFT}" y="{}" width="{width:.2}" height="{}" fill="#3a6ea5"/><text x="{end}" y="{base}">{}</text>"##,
            LEFT - 10,
            self.y + 3,
            ROW - 6,
            escaped(value)
        );
        self.y += ROW;
    }

    /// The document.
    pub fn finish(self) -> String {
        let (height, title, rows) = (self.y + 20, self.title, self.rows);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n{rows}</svg>\n"
        )
    }
}

fn escaped(text: &str) -> String {
    markup(&escape_control(text, false))
}
