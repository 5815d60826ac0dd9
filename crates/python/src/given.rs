//! What callers give.

use crate::errors;
use decklaw::Input;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyMapping, PyString};
use std::path::PathBuf;

/// A deck: its text, not copied where it need not be, or the bytes of its file.
pub(crate) enum Text {
    Str(PyBackedStr),
    Bytes(PyBackedBytes),
    File(PathBuf, Vec<u8>),
}

impl Text {
    /// The deck's name in reports.
    pub(crate) fn name(&self) -> String {
        match self {
            Text::File(path, _) => path.display().to_string(),
            Text::Str(_) | Text::Bytes(_) => "-".to_owned(),
        }
    }

    /// What it is written in: what the file's ending says.
    pub(crate) fn input(&self) -> Input {
        match self {
            Text::File(path, _) => Input::of_path(path),
            Text::Str(_) | Text::Bytes(_) => Input::Text,
        }
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
            Text::File(_, bytes) => bytes,
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Text::Bytes(bytes.to_owned().into()));
        }
        if given.hasattr("__fspath__")? {
            let path: PathBuf = given.extract()?;
            let bytes = std::fs::read(&path)?;
            return Ok(Text::File(path, bytes));
        }
        let Ok(text) = given.cast::<PyString>() else {
            let kind = given.get_type().name()?;
            let message = format!("a deck is a text (str or bytes) or a path, not {kind}");
            return Err(PyTypeError::new_err(message));
        };
        match given.extract() {
            Ok(text) => Ok(Text::Str(text)),
            // Half of a pair of surrogates: no text, which the reader of decks says with its place.
            Err(_) => {
                let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                Ok(Text::Bytes(encoded.extract()?))
            }
        }
    }
}

/// The decks of an iterable.
pub(crate) fn decks(given: &Bound<'_, PyAny>) -> PyResult<Vec<Text>> {
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
        let message = "many decks are a list of texts, and this is one text";
        return Err(PyTypeError::new_err(message));
    }
    let each = given.try_iter()?.enumerate().map(|(index, one)| {
        one?.extract::<Text>().map_err(|error| {
            // A file that is missing keeps its own exception.
            if !error.is_instance_of::<PyTypeError>(given.py()) {
                return error;
            }
            let message = format!("deck {index}: {}", error.value(given.py()));
            PyTypeError::new_err(message)
        })
    });
    each.collect()
}

/// What a mapping has, by name.
pub(crate) struct Named<T>(pub(crate) Vec<(String, T)>);

impl<'py, T: for<'a> FromPyObject<'a, 'py>> FromPyObject<'_, 'py> for Named<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Named<T>> {
        let items = given.cast::<PyMapping>()?.items()?;
        let items = items.iter().map(|item| item.extract());
        Ok(Named(items.collect::<PyResult<_>>()?))
    }
}

/// A card file: its path, or its name and what it holds.
#[derive(FromPyObject)]
pub(crate) enum Cards {
    Held(String, Vec<u8>),
    Path(PathBuf),
}

impl Cards {
    pub(crate) fn read(self, py: Python<'_>) -> PyResult<(String, Vec<u8>)> {
        match self {
            Cards::Held(name, bytes) => Ok((name, bytes)),
            Cards::Path(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let read = std::fs::read(&path);
                let bytes = read
                    .map_err(|error| errors::game(py, &format!("{}: {error}", path.display())))?;
                Ok((name.into_owned(), bytes))
            }
        }
    }
}
