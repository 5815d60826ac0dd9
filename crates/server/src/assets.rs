//! The files that pages load: what is in `assets/` is what is served, from the binary.

use crate::error::HttpError;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use decklaw_text::digest::sha256;
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::LazyLock;

pub(crate) static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/assets");

/// A file as it is sent.
struct Asset {
    kind: &'static str,
    tag: String,
    plain: &'static [u8],
    packed: Vec<u8>,
}

static ASSETS: LazyLock<BTreeMap<String, Asset>> = LazyLock::new(|| {
    let each = FILES.files().filter_map(|file| {
        let name = file.path().to_str()?.to_owned();
        let kind = match file.path().extension()?.to_str()? {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => return None,
        };
        let plain = file.contents();
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to a vector does not fail.
        packer.write_all(plain).ok()?;
        let packed = packer.finish().ok()?;
        let tag = format!("\"{}\"", &sha256(plain)[..16]);
        Some((name, Asset { kind, tag, plain, packed }))
    });
    each.collect()
});

/// Sends a file. Browsers keep it, and ask whether it is still the same.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(asset) = ASSETS.get(&name) else {
        return HttpError::none("such file").into_response();
    };
    let asked =
        |name| headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
    let about = [
        (header::CONTENT_TYPE, asset.kind),
        (header::ETAG, asset.tag.as_str()),
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "accept-encoding"),
    ];
    if asked(header::IF_NONE_MATCH) == Some(&asset.tag) {
        return (axum::http::StatusCode::NOT_MODIFIED, about).into_response();
    }
    if asked(header::ACCEPT_ENCODING).is_some_and(|kinds| kinds.contains("gzip")) {
        (about, [(header::CONTENT_ENCODING, "gzip")], Body::from(asset.packed.as_slice()))
            .into_response()
    } else {
        (about, Body::from(asset.plain)).into_response()
    }
}
