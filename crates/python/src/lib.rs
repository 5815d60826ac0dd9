//! decklaw for Python: the front of the library, in dicts with the keys of the program's JSON.
//! `python/decklaw` holds what needs no engine.

mod answers;
mod errors;
mod frame;
mod game;
mod given;
mod many;

use pyo3::prelude::*;

#[pymodule]
mod _decklaw {
    #[pymodule_export]
    use super::game::Game;
    use super::*;

    /// Runs the program with the words of a call, its own name first, and returns its exit status.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| decklaw::cli::main(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
