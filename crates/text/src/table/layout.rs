//! How a table in text is written: what parts its cells, and where it begins.

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// What parts its cells.
    pub separator: u8,
    /// The bytes before its header: a line `sep=;` that Excel writes for itself.
    pub start: usize,
}

impl Layout {
    /// How these bytes are written. The separator is that of a first line such as `sep=;`, or else
    /// the most frequent of `,`, `;` and the tab in the first line.
    pub fn of(bytes: &[u8]) -> Layout {
        let declared = declared_separator(bytes);
        let (separator, start) = declared.unwrap_or_else(|| (frequent_separator(bytes), 0));
        Layout { separator, start }
    }

    /// The table itself, header and rows, and the number of lines before it.
    pub fn table<'b>(&self, bytes: &'b [u8]) -> (u64, &'b [u8]) {
        let (before, table) = bytes.split_at(self.start.min(bytes.len()));
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        (lines as u64, table)
    }
}

/// The header of a table.
///
/// # Errors
/// A table without a header, or one that is not UTF-8.
pub fn read_header(bytes: &[u8]) -> Result<Vec<String>, String> {
    let layout = Layout::of(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(layout.separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(layout.table(bytes).1);
    let mut record = csv::ByteRecord::new();
    reader.read_byte_record(&mut record).ok();
    if record.is_empty() {
        return Err("it has no header".to_owned());
    }
    let mut header = Vec::new();
    for cell in &record {
        let Ok(text) = std::str::from_utf8(cell) else {
            return Err(format!("it is not UTF-8; {}", crate::text::SAVE_AS_UTF8));
        };
        header.push(text.trim().trim_start_matches('\u{feff}').to_owned());
    }
    Ok(header)
}

/// The most frequent of `,`, `;` and the tab in the first line, outside of quoted cells; the comma
/// where two are alike.
fn frequent_separator(bytes: &[u8]) -> u8 {
    const SEPARATORS: [u8; 3] = [b'\t', b';', b','];
    let bytes = crate::text::without_bom(bytes).trim_ascii_start();
    let (mut counts, mut is_quoted, mut begins_cell) = ([0_u32; 3], false, true);
    for byte in bytes {
        match byte {
            b'"' if is_quoted || begins_cell => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'\n' | b'\r' => break,
            _ => {
                let place = SEPARATORS.iter().position(|separator| separator == byte);
                if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
                    *count += 1;
                }
            }
        }
        // A doubled mark goes on with its cell.
        begins_cell = SEPARATORS.contains(byte) || *byte == b'"';
    }
    let pairs = SEPARATORS.into_iter().zip(counts);
    let most = pairs.max_by_key(|(_, count)| *count);
    most.map_or(b',', |(separator, _)| separator)
}

/// What Excel's first line `sep=;` says, and the bytes that it takes.
fn declared_separator(bytes: &[u8]) -> Option<(u8, usize)> {
    let text = crate::text::without_bom(bytes);
    let rest = text.get(..4).filter(|word| word.eq_ignore_ascii_case(b"sep="));
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
