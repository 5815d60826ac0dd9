//! Addresses of pictures in a saved game.

use std::path::Path;

/// An address from which pictures can be loaded.
pub(super) fn place(text: &str) -> Result<String, String> {
    let wrong = || {
        "write an address such as https://example.org/cards/, with http://, https:// or file:///"
            .to_owned()
    };
    let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
    let known = ["http", "https", "file"].contains(&scheme.to_ascii_lowercase().as_str());
    let plain = !rest.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    if known && plain && !rest.is_empty() { Ok(text.to_owned()) } else { Err(wrong()) }
}

/// The address of a file of this machine.
pub(super) fn local(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    format!("file:///{}", path.trim_start_matches('/'))
}

/// A file name as a part of a web address.
pub(super) fn escaped(name: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let each = name.bytes().map(|byte| {
        if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    });
    each.collect()
}
