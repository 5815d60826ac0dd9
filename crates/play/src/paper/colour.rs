//! Colours of faces.

use std::fmt;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour([u8; 3]);

pub(super) const BLACK: Colour = Colour([0; 3]);
pub(super) const WHITE: Colour = Colour([255; 3]);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Colour([red, green, blue]) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Colour {
    /// A colour such as `#c8402f`; `None`: it is none.
    pub(super) fn parse(text: &str) -> Option<Colour> {
        let number = u32::from_str_radix(text.strip_prefix('#')?, 16).ok()?;
        let [_, rgb @ ..] = number.to_be_bytes();
        Some(Colour(rgb))
    }

    /// A part of the way to another colour.
    pub(super) fn mix(self, other: Colour, part: f64) -> Colour {
        let mut mixed = self.0;
        for (own, other) in mixed.iter_mut().zip(other.0) {
            *own = (f64::from(*own) * (1.0 - part) + f64::from(other) * part).round() as u8;
        }
        Colour(mixed)
    }

    /// Its hue in degrees and its chroma, in OKLCH.
    pub(super) fn oklch(self) -> (f64, f64) {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        let l = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let m = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let s = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        let x = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s;
        let y = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s;
        (y.atan2(x).to_degrees().rem_euclid(360.0), x.hypot(y))
    }
}

/// A colour by its lightness, chroma and hue in degrees, in OKLCH; where a screen has not so much
/// chroma, with as much as it has.
pub(super) fn oklch(lightness: f64, chroma: f64, hue: f64) -> Colour {
    let (sine, cosine) = hue.to_radians().sin_cos();
    let (x, y) = (chroma * cosine, chroma * sine);
    let l = (lightness + 0.396_337_777_4 * x + 0.215_803_757_3 * y).powi(3);
    let m = (lightness - 0.105_561_345_8 * x - 0.063_854_172_8 * y).powi(3);
    let s = (lightness - 0.089_484_177_5 * x - 1.291_485_548 * y).powi(3);
    let linear = [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
    ];
    if chroma > 0.0 && linear.iter().any(|part| !(-0.001..=1.001).contains(part)) {
        return oklch(lightness, f64::max(0.0, chroma - 0.004), hue);
    }
    Colour(linear.map(|part| {
        let part = part.clamp(0.0, 1.0);
        let shown =
            if part <= 0.003_130_8 { 12.92 * part } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
        (shown * 255.0).round() as u8
    }))
}
