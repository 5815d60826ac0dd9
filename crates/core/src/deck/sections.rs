//! The sections that a deck names, found again by their ids.

use super::{MOST_SECTIONS, Section};
use crate::text::Span;
use std::borrow::Cow;
use std::collections::HashMap;

/// Sections in the order in which they are first named.
#[derive(Debug, Default)]
pub(super) struct Sections<'a> {
    list: Vec<Section<'a>>,
    /// Positions by id, kept only where searching all is slow. It is a map with random keys: in
    /// open formats the file chooses the ids.
    index: HashMap<String, u16>,
}

impl<'a> Sections<'a> {
    /// More sections than this are found by the index.
    const FEW: usize = 16;

    /// The position of a section, which is added where it is new. `None`: there are
    /// [`MOST_SECTIONS`] already. An empty span is that of a section which the file only implies.
    pub(super) fn enter(&mut self, id: &str, span: Span, source: &'a str) -> Option<u16> {
        if let Some(at) = self.find(id) {
            let known = &mut self.list[usize::from(at)];
            if known.span.is_empty() {
                known.span = span;
            }
            return Some(at);
        }
        if self.list.len() >= MOST_SECTIONS {
            return None;
        }
        let at = u16::try_from(self.list.len()).ok()?;
        let written = source.get(span.start..span.end).filter(|word| *word == id);
        let id = written.map_or_else(|| Cow::Owned(id.to_owned()), Cow::Borrowed);
        if self.list.len() == Self::FEW {
            let ids = self.list.iter().zip(0u16..);
            self.index = ids
                .map(|(section, at)| (section.id.clone().into_owned(), at))
                .collect();
        }
        if self.list.len() >= Self::FEW {
            self.index.insert(id.clone().into_owned(), at);
        }
        self.list.push(Section { id, span });
        Some(at)
    }

    /// The sections so far.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Section<'a>> {
        self.list.iter()
    }

    /// The number of sections so far.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    fn find(&self, id: &str) -> Option<u16> {
        if self.list.len() > Self::FEW {
            return self.index.get(id).copied();
        }
        let at = self.list.iter().position(|section| section.id == id)?;
        u16::try_from(at).ok()
    }

    pub(super) fn into_list(self) -> Vec<Section<'a>> {
        self.list
    }
}
