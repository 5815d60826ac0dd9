//! The letters of printed cards: those built in, and the machine's for scripts that they lack.

use resvg::usvg::fontdb::{Database, Family, Query, Weight};
use resvg::usvg::{FallbackSelectionFn, FontResolver, Options, Tree};
use std::sync::Arc;

/// The built-in fonts: `fonts/README.md` says what is in them.
const BUILT_IN: [&[u8]; 4] = [
    include_bytes!("fonts/NotoSans-Regular.ttf"),
    include_bytes!("fonts/NotoSans-Bold.ttf"),
    include_bytes!("fonts/NotoSansSymbols2-Regular.ttf"),
    include_bytes!("fonts/NotoSansMath-Regular.ttf"),
];
const FAMILY: &str = "Noto Sans";

/// The fonts in which cards are printed.
#[derive(Debug, Clone)]
pub struct Fonts {
    known: Arc<Database>,
}

impl Fonts {
    /// The built-in fonts: Latin, Greek and Cyrillic letters, suits, arrows and other signs. Where
    /// a text needs other letters, the fonts of the machine are looked through.
    pub fn built_in() -> Fonts {
        let mut known = Database::new();
        for font in BUILT_IN {
            known.load_font_data(font.to_vec());
        }
        Fonts { known: Arc::new(known) }
    }

    /// A picture as a tree of shapes and letters.
    ///
    /// # Errors
    /// Why it is no picture, in words.
    pub(super) fn tree(&mut self, svg: &str) -> Result<Tree, String> {
        let options = Options {
            font_family: FAMILY.to_owned(),
            fontdb: Arc::clone(&self.known),
            font_resolver: FontResolver {
                select_font: Box::new(|font, known| {
                    known.query(&Query {
                        families: &[Family::Name(FAMILY)],
                        weight: Weight(font.weight()),
                        ..Query::default()
                    })
                }),
                select_fallback: fallback(),
            },
            ..Options::default()
        };
        let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
        // What was looked up once is known.
        self.known = Arc::clone(tree.fontdb());
        Ok(tree)
    }
}

/// The first font with a letter: a built-in one, or else one of the machine's.
fn fallback() -> FallbackSelectionFn<'static> {
    let first = FontResolver::default_fallback_selector();
    Box::new(move |letter, used, known| {
        let found = first(letter, used, known);
        if found.is_some() || known.len() > BUILT_IN.len() {
            return found;
        }
        Arc::make_mut(known).load_system_fonts();
        first(letter, used, known)
    })
}
