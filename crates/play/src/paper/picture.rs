//! A picture in the place of a drawn face, read.

use super::pictures::picture_kind;

/// A picture that stands for a card.
#[derive(Clone)]
pub struct Picture {
    pub(super) image: krilla::image::Image,
    pub(super) name: String,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Picture({:?}, {:?})", self.name, self.image.size())
    }
}

/// The most pixels of a picture: a card of 63 by 88 mm has 12.4 million at 1200 dots an inch. Each
/// is unpacked to four bytes and more, however few a file has for all of them.
pub const MOST_PIXELS: u64 = 1 << 24;

impl Picture {
    /// Reads a picture: PNG, JPEG, WebP or GIF, told by its first bytes. `name` is how messages
    /// call it.
    ///
    /// # Errors
    /// Why it is none, in words; and one of more than [`MOST_PIXELS`], of which no pixel is
    /// unpacked.
    pub fn read(name: &str, bytes: Vec<u8>) -> Result<Picture, String> {
        use krilla::image::Image;
        let read: fn(krilla::Data, bool) -> Result<Image, String> = match picture_kind(&bytes) {
            Some("image/png") => Image::from_png,
            Some("image/jpeg") => Image::from_jpeg,
            Some("image/gif") => Image::from_gif,
            Some("image/webp") => Image::from_webp,
            _ => return Err(format!("{name}: this is no PNG, JPEG, WebP or GIF picture")),
        };
        let refuse = |why| format!("{name}: this picture cannot be read: {why}");
        let image = read(bytes.into(), true).map_err(refuse)?;
        let (width, height) = image.size();
        if width == 0 || height == 0 {
            return Err(refuse("it is empty".to_owned()));
        }
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(format!(
                "{name}: this picture has {width} by {height} pixels, and at most {MOST_PIXELS} are \
                 printed on a card; make it smaller, 1500 by 2100 are 600 dots an inch"
            ));
        }
        Ok(Picture {
            image,
            name: name.to_owned(),
        })
    }
}
