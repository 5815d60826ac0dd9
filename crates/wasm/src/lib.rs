//! The library for a page without a server: questions and answers as JSON, for JavaScript.
//!
//! A page asks through three functions and the memory of the module:
//!
//! 1. [`reserve`] gives the place for a message of a number of bytes, and the page writes it there.
//! 2. [`answer`] answers it and gives the place of the answer.
//! 3. [`answer_length`] gives its length. The page copies it before it asks again.
//!
//! The first message makes the game, `{"day": "2026-11-27", "begin": …}` with a
//! [folder](decklaw_ask::Folder); its answer has the [version](VERSION). Each other message is a
//! [question](decklaw_ask::Question) on a day, `{"day": "2026-11-27", "ask": "check", …}`. The answer is
//! that of the question, or a [problem](decklaw_text::Problem), `{kind, message, help, place}`.
//!
//! A defect ends the module with a trap. What it says is then the answer, at the place that
//! [`answered`] gives; [`answer_length`] is 0 where memory or stack have run out. After either a page
//! takes a new module. The module imports nothing: it knows no clock, no chance, no file and no
//! network.

#![allow(unsafe_code, reason = "names that JavaScript finds; nothing else is unsafe")]

mod engine;

use engine::Engine;
use std::cell::RefCell;
use std::sync::Once;

/// The mark of the engine, which is in the bytes of the module in one piece.
pub const VERSION: &str = decklaw_ask::ENGINE;

/// The longest message, in bytes.
pub const LONGEST: usize = 64 << 20;

thread_local! {
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ENGINE: RefCell<Engine> = const { RefCell::new(Engine::new()) };
}

/// The place for a message of a number of bytes; none where that is too long.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    say_defects();
    // Where there is no place, or a trap, the answer before is not taken for an answer.
    ANSWER.set(Vec::new());
    MESSAGE.with_borrow_mut(|message| {
        *message = Vec::new();
        if length > LONGEST || message.try_reserve_exact(length).is_err() {
            return std::ptr::null_mut();
        }
        message.resize(length, 0);
        message.as_mut_ptr()
    })
}

/// Answers the message and forgets it. The answer stays where it is until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    let message = MESSAGE.take();
    ANSWER.set(Vec::new());
    let answer = ENGINE.with_borrow_mut(|engine| engine.answer(&message));
    ANSWER.set(answer);
    answered()
}

/// The place of the answer, as [`answer`] gave it; after a trap, of what the defect says.
#[unsafe(no_mangle)]
pub extern "C" fn answered() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// The length of the answer, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// The place of [`VERSION`], so that it is in the module's bytes in one piece.
#[unsafe(no_mangle)]
pub extern "C" fn version() -> *const u8 {
    VERSION.as_ptr()
}

/// Makes what a defect says the answer, before it ends the module.
fn say_defects() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |defect| {
            ANSWER.set(engine::defect(&defect.to_string()));
            before(defect);
        }));
    });
}
