//! A maker's picture, read.

use super::pictures::picture_kind;
use data_encoding::BASE64;

/// A picture of a card.
#[derive(Clone)]
pub struct Picture {
    address: String,
    size: (u32, u32),
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Picture({:?})", self.size)
    }
}

/// The most pixels of a picture: a card of 63 by 88 mm has 12.4 million at 1200 dots an inch. Each
/// is unpacked to four bytes and more, however few a file has for all of them.
pub const MOST_PIXELS: u64 = 1 << 24;

/// A card's width by its height.
const SHAPE: f64 = 63.0 / 88.0;
/// A picture whose shape differs from a card's by less than this part is the whole card.
const NEARLY: f64 = 0.03;

impl Picture {
    /// Reads a picture: PNG, JPEG, WebP or GIF, recognised by its first bytes. `name` is how
    /// messages call it.
    ///
    /// # Errors
    /// Why it is none, in words; and one of more than [`MOST_PIXELS`]: no pixel of it is
    /// unpacked.
    pub fn read(name: &str, bytes: Vec<u8>) -> Result<Picture, String> {
        use krilla::image::Image;
        let kind = picture_kind(&bytes);
        let read: fn(krilla::Data, bool) -> Result<Image, String> = match kind {
            Some("image/png") => Image::from_png,
            Some("image/jpeg") => Image::from_jpeg,
            Some("image/gif") => Image::from_gif,
            Some("image/webp") => Image::from_webp,
            _ => return Err(format!("{name}: not a PNG, JPEG, WebP or GIF picture")),
        };
        let refuse = |why| format!("{name}: this picture cannot be read: {why}");
        let address = format!("data:{};base64,{}", kind.unwrap_or_default(), BASE64.encode(&bytes));
        let size = read(bytes.into(), true).map_err(refuse)?.size();
        let (width, height) = size;
        if width == 0 || height == 0 {
            return Err(refuse("it is empty".to_owned()));
        }
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(format!(
                "{name}: this picture has {width} by {height} pixels, and at most {MOST_PIXELS} are \
                 printed on a card; make it smaller, 1500 by 2100 are 600 dots an inch"
            ));
        }
        Ok(Picture { address, size })
    }

    /// The picture as an address that holds it.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Whether it has a card's shape and so is the whole card; any other goes into the frame.
    pub fn is_whole_card(&self) -> bool {
        let (width, height) = self.size;
        let shape = f64::from(width) / f64::from(height);
        (shape / SHAPE - 1.0).abs() <= NEARLY
    }

    /// The picture alone on a card, as large as it can be.
    pub(super) fn svg(&self) -> String {
        let (width, height) = (super::draw::WIDTH, super::draw::HEIGHT);
        let fitted = if self.is_whole_card() { "none" } else { "xMidYMid" };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\"><image href=\"{}\" \
             width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"{fitted}\"/></svg>",
            self.address
        )
    }
}
