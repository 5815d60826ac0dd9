"""Tables of pandas, Polars and Arrow, and mappings of columns: a column in, columns out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import QuestionError


def column(frame: Any, name: str) -> list[Any]:
    """Returns the values of a column."""
    names = [str(one) for one in getattr(frame, "column_names", getattr(frame, "columns", frame))]
    if name not in names:
        raise QuestionError(f"the table has no column `{name}`; it has {', '.join(names) or 'none'}")
    values = frame[name]
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(values, method):
            return list(getattr(values, method)())
    return list(values)


def like(frame: Any, columns: list[tuple[str, str, list[Any]]]) -> Any:
    """Returns a table of the kind of `frame`. A column is its name, `n` for whole numbers, `r` for
    others or `t` for texts, and its values; the first has the rows of `frame` that each row is about.
    """
    if isinstance(frame, Mapping):
        return {name: values for name, _, values in columns}
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas":
        table = _pandas(columns)
        table.index = frame.index.take(columns[0][2])
        return table
    if library == "polars":
        import polars

        kinds: dict[str, Any] = {"n": polars.Int64, "r": polars.Float64, "t": polars.String}
        return polars.DataFrame([polars.Series(name, values, kinds[kind]) for name, kind, values in columns])
    if library == "pyarrow":
        return _arrow(type(frame), columns)
    message = f"a table is of pandas, Polars or Arrow, or a mapping of columns, not {type(frame).__name__}"
    raise TypeError(message)


def _pandas(columns: list[tuple[str, str, list[Any]]]) -> Any:
    import pandas

    # By way of Arrow, where it is installed, in a fifth of the time.
    try:
        import pyarrow
    except ImportError:
        kinds = {"n": "Int64", "r": "float64", "t": "string"}
        return pandas.DataFrame({name: pandas.array(values, kinds[kind]) for name, kind, values in columns})
    kinds = {pyarrow.int64(): pandas.Int64Dtype(), pyarrow.string(): pandas.StringDtype("pyarrow")}
    return _arrow(pyarrow.Table, columns).to_pandas(types_mapper=kinds.get)


def _arrow(kind: Any, columns: list[tuple[str, str, list[Any]]]) -> Any:
    import pyarrow

    kinds = {"n": pyarrow.int64(), "r": pyarrow.float64(), "t": pyarrow.string()}
    arrays = [pyarrow.array(values, kinds[kind]) for _, kind, values in columns]
    return kind.from_arrays(arrays, names=[name for name, _, _ in columns])
