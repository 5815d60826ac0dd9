//! What is known of a workbook without unpacking it.

use super::TableError;

/// Whether bytes begin as a workbook does.
pub(super) fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Workbooks of before 2007 are not read.
pub(super) fn refuse_old(bytes: &[u8]) -> Result<(), TableError> {
    match bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        true => Err(TableError::new(
            "this is a workbook in the old format `.xls`",
            "save it as `.xlsx` or as `CSV UTF-8`",
        )),
        false => Ok(()),
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
