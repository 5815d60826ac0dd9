//! What is known of a workbook without unpacking it.

use super::TableError;

/// Whether bytes begin as a workbook does.
pub(super) fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Documents of other programs are no tables.
pub(super) fn refuse_document(bytes: &[u8]) -> Result<(), TableError> {
    match crate::text::document(bytes) {
        Some(document) => Err(TableError::new(document.message, document.help)),
        None => Ok(()),
    }
}

/// The rows of a sheet, where workbooks are read.
#[cfg(not(feature = "xlsx"))]
pub(super) fn rows(_: &[u8], _: Option<&str>) -> Result<Vec<super::Row>, TableError> {
    Err(TableError::new(
        "this is a workbook, and this program was built without reading them",
        "save the one sheet as `CSV UTF-8`",
    ))
}
