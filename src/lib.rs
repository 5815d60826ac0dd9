//! decklaw
