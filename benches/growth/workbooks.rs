//! Workbooks of a size.

/// A workbook of one sheet.
pub(crate) fn xlsx(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, header.iter().copied()).unwrap();
    for (at, row) in (1..).zip(rows) {
        sheet.write_row(at, 0, row).unwrap();
    }
    book.save_to_buffer().unwrap()
}

/// The same as other programs write it.
pub(crate) fn ods(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    const KIND: &str = "application/vnd.oasis.opendocument.spreadsheet";
    let header = header.iter().map(|cell| (*cell).to_owned()).collect();
    let rows = std::iter::once(header).chain(rows).map(|row: Vec<String>| {
        let cells = row.iter().map(|cell| {
            format!("<table:table-cell office:value-type=\"string\"><text:p>{cell}</text:p></table:table-cell>")
        });
        format!("<table:table-row>{}</table:table-row>", cells.collect::<String>())
    });
    let sheet = format!(
        "<?xml version=\"1.0\"?><office:document-content \
         xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body>\
         <office:spreadsheet><table:table table:name=\"a\">{}</table:table>\
         </office:spreadsheet></office:body></office:document-content>",
        rows.collect::<String>()
    );
    let manifest = format!(
        "<?xml version=\"1.0\"?><manifest:manifest \
         xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">\
         <manifest:file-entry manifest:full-path=\"/\" manifest:media-type=\"{KIND}\"/>\
         </manifest:manifest>"
    );
    stored(&[
        ("mimetype", KIND),
        ("META-INF/manifest.xml", &manifest),
        ("content.xml", &sheet),
    ])
}

/// A ZIP archive of files as they are.
fn stored(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut out, mut central) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let mut sum = flate2::Crc::new();
        sum.update(text.as_bytes());
        let at = u32::try_from(out.len()).unwrap();
        let size = u32::try_from(text.len()).unwrap().to_le_bytes();
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        // Version, flags, method, time and day, then what the file is.
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x5a][..],
            &sum.sum().to_le_bytes(),
            &size,
            &size,
            &length,
            &[0, 0],
        ]
        .concat();
        out.extend([b"PK\x03\x04", &common[..], name.as_bytes(), text.as_bytes()].concat());
        let rest = [&[0; 10][..], &at.to_le_bytes(), name.as_bytes()].concat();
        central.extend([b"PK\x01\x02\x14\0", &common[..], &rest].concat());
    }
    let (start, size) = (out.len(), central.len());
    let number = u16::try_from(files.len()).unwrap().to_le_bytes();
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    out.extend(central);
    out.extend(
        [
            &b"PK\x05\x06\0\0\0\0"[..],
            &number,
            &number,
            &word(size),
            &word(start),
            &[0, 0],
        ]
        .concat(),
    );
    out
}
