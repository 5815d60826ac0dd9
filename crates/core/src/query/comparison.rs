//! The signs by which a query compares.

/// A comparison between what a card has and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `:`: equals, or for a list: holds; for free text: contains.
    Is,
    /// `=`: as [`Comparison::Is`], but free text must be equal.
    Equal,
    /// `!=`: has a value, and not this one.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Every comparison with its sign, each before those that its sign begins.
    pub(super) const SIGNS: [(&'static str, Comparison); 10] = [
        ("\u{2260}", Comparison::NotEqual),
        ("\u{2264}", Comparison::AtMost),
        ("\u{2265}", Comparison::AtLeast),
        ("!=", Comparison::NotEqual),
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        (":", Comparison::Is),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::More),
    ];

    /// The sign that is written for it.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Is => ":",
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::More => ">",
            Comparison::AtLeast => ">=",
        }
    }

    /// Whether `left` compares so with `right`.
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Is | Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::More => left > right,
            Comparison::AtLeast => left >= right,
        }
    }

    /// Whether it asks for more or less, and not for the value itself.
    pub(super) fn is_order(self) -> bool {
        matches!(
            self,
            Comparison::Less | Comparison::AtMost | Comparison::More | Comparison::AtLeast
        )
    }
}
