//! Addresses as QR codes.

use super::trouble::Trouble;
use fast_qr::convert::svg::SvgBuilder;
use fast_qr::qr::QRBuilder;

/// A QR code as a picture.
///
/// # Errors
/// A text too long for one.
pub(super) fn svg(text: &str) -> Result<String, Trouble> {
    let code = QRBuilder::new(text).build();
    let code = code.map_err(|_| Trouble::wrong("The address is too long for a QR code."))?;
    Ok(SvgBuilder::default().to_str(&code))
}
