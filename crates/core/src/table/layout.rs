//! How a table in text is written: what parts its cells, and where it begins.

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// What parts its cells.
    pub separator: u8,
    /// The bytes before its header: a line `sep=;` that Excel writes for itself.
    pub start: u64,
    /// Whether its lines end with CRLF.
    pub(crate) crlf: bool,
}

impl Layout {
    /// The table itself, header and rows, and how many lines stand before it.
    pub fn table<'b>(&self, bytes: &'b [u8]) -> (u64, &'b [u8]) {
        let start = usize::try_from(self.start).unwrap_or(bytes.len());
        let (before, table) = bytes.split_at(start.min(bytes.len()));
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        (lines as u64, table)
    }
}

/// The header of a table and how it is written: its cells are parted by what a first line
/// such as `sep=;` says, or else by that of `,`, `;` and the tab which parts the first line,
/// outside of quotes, into most cells.
///
/// # Errors
/// A table without a header, or one that is not UTF-8.
pub fn read_header(bytes: &[u8]) -> Result<(Vec<String>, Layout), String> {
    let (told, start) = match declared_separator(bytes) {
        Some((separator, length)) => (Some(separator), length),
        None => (None, 0),
    };
    let bytes = &bytes[start..];
    let cells = |separator: u8| {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(bytes);
        let mut record = csv::ByteRecord::new();
        reader.read_byte_record(&mut record).ok();
        let end = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
        (record, end)
    };
    let candidates = told.map_or_else(|| vec![b'\t', b';', b','], |told| vec![told]);
    // A separator within a quoted cell leaves quotation marks where none may stand.
    let quoted = |end: usize, separator: u8| {
        let header = bytes.get(..end).unwrap_or(bytes);
        super::quotes::wrong(header, separator).is_none()
    };
    let most = candidates
        .into_iter()
        .map(|separator| (cells(separator), separator))
        .max_by_key(|((record, end), separator)| (quoted(*end, *separator), record.len()));
    let Some(((record, end), separator)) = most.filter(|((record, _), _)| !record.is_empty())
    else {
        return Err("it has no header".to_owned());
    };
    let mut header = Vec::new();
    for cell in &record {
        let Ok(text) = std::str::from_utf8(cell) else {
            return Err(format!("it is not UTF-8; {}", crate::text::SAVE_AS_UTF8));
        };
        header.push(text.trim().trim_start_matches('\u{feff}').to_owned());
    }
    let layout = Layout {
        separator,
        start: start as u64,
        // The reader stops behind the CR.
        crlf: end > 0 && bytes.get(end - 1..=end) == Some(b"\r\n"),
    };
    Ok((header, layout))
}

/// What Excel's first line `sep=;` says, and the bytes that it takes.
fn declared_separator(bytes: &[u8]) -> Option<(u8, usize)> {
    let text = crate::text::without_bom(bytes);
    let rest = text
        .get(..4)
        .filter(|word| word.eq_ignore_ascii_case(b"sep="));
    let rest = rest.map(|word| &text[word.len()..])?;
    let (separator, end) = rest.split_first()?;
    let end = match end {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => return None,
    };
    let fit = separator.is_ascii() && !separator.is_ascii_alphanumeric() && *separator != b'"';
    fit.then_some((*separator, bytes.len() - rest.len() + 1 + end))
}
