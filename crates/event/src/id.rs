//! Ids that people type: `p017` is a player, `e012` an entry.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Makes the type of a number that is written with a letter before it.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident $letter:literal;)*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, concat!($letter, "{:03}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let digits = text.strip_prefix([$letter, $letter.to_ascii_uppercase()]);
                let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
                let number = digits.and_then(|digits| digits.parse().ok());
                number.map($name).ok_or_else(|| format!("`{text}` is not an id like {}", $name(17)))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }
    )*};
}

ids! {
    /// A player of an event: `p017`.
    PlayerId 'p';
    /// A deck as it came: `e012`.
    EntryId 'e';
}
