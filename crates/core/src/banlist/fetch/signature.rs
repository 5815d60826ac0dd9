//! Detached minisign signatures.

use minisign_verify::{Error, PublicKey, Signature};

/// Why a signature proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// Not a signature at all.
    #[error("what should be its signature is no minisign signature")]
    Malformed,
    /// By somebody else.
    #[error("it is signed with another key than the one that is trusted")]
    AnotherKey,
    /// Over other bytes.
    #[error("its signature does not fit: the list or the signature was changed")]
    DoesNotFit,
    /// Without the hash that minisign has used since 2020.
    #[error("its signature is of minisign's old kind; sign it again with a newer minisign")]
    Legacy,
    /// The key itself.
    #[error("the key is no minisign public key")]
    Key,
}

/// The base64 line of a minisign public key, given as that line or as the whole key file;
/// `None` where it is no key.
pub fn public_key(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    PublicKey::from_base64(line).ok()?;
    Some(line.to_owned())
}

/// Verifies that a key has signed some bytes. Gives the trusted comment, which it has signed
/// too.
///
/// # Errors
/// Why that is not so.
pub fn verify(key: &str, bytes: &[u8], signature: &str) -> Result<String, SignatureError> {
    let key = PublicKey::from_base64(key).map_err(|_| SignatureError::Key)?;
    let signature = Signature::decode(signature).map_err(|_| SignatureError::Malformed)?;
    key.verify(bytes, &signature, false)
        .map_err(|error| match error {
            Error::UnexpectedKeyId => SignatureError::AnotherKey,
            Error::UnsupportedLegacyMode | Error::UnsupportedAlgorithm => SignatureError::Legacy,
            _ => SignatureError::DoesNotFit,
        })?;
    Ok(signature.trusted_comment().to_owned())
}
