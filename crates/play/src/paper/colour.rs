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

    /// Its hue in degrees, and how strong it is in a picture, in percent.
    pub(super) fn hue(self) -> (f64, f64) {
        let [red, green, blue] = self.0.map(|part| f64::from(part) / 255.0);
        let most = red.max(green).max(blue);
        let range = most - red.min(green).min(blue);
        if range == 0.0 {
            return (220.0, 6.0);
        }
        let hue = if most == red {
            ((green - blue) / range) % 6.0
        } else if most == green {
            (blue - red) / range + 2.0
        } else {
            (red - green) / range + 4.0
        };
        ((hue * 60.0 + 360.0) % 360.0, f64::min(70.0, range / most * 90.0))
    }
}

/// A colour by its hue in degrees, saturation and light in percent.
pub(super) fn hsl(hue: f64, saturation: f64, light: f64) -> Colour {
    let (saturation, light) = (saturation / 100.0, light / 100.0);
    let strength = saturation * light.min(1.0 - light);
    let part = |offset: f64| {
        let at = (offset + hue.rem_euclid(360.0) / 30.0) % 12.0;
        let value = light - strength * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    Colour([part(0.0), part(8.0), part(4.0)])
}
