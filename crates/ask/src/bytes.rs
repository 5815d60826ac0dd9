//! Bytes in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes, which are base64 in JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&data_encoding::BASE64.encode_display(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = data_encoding::BASE64.decode(text.as_bytes());
        bytes.map(Bytes).map_err(serde::de::Error::custom)
    }
}
