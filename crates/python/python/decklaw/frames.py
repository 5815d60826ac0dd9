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
        import pandas

        kinds: dict[str, Any] = {"n": "Int64", "r": "float64", "t": "string"}
        index = frame.index.take(columns[0][2])
        series = {name: pandas.array(values, dtype=kinds[kind]) for name, kind, values in columns}
        return pandas.DataFrame(series, index=index, copy=False)
    if library == "polars":
        import polars

        kinds = {"n": polars.Int64, "r": polars.Float64, "t": polars.String}
        return polars.DataFrame([polars.Series(name, values, kinds[kind]) for name, kind, values in columns])
    if library == "pyarrow":
        import pyarrow

        kinds = {"n": pyarrow.int64(), "r": pyarrow.float64(), "t": pyarrow.string()}
        return type(frame).from_arrays(
            [pyarrow.array(values, kinds[kind]) for _, kind, values in columns],
            names=[name for name, _, _ in columns],
        )
    message = f"a table is of pandas, Polars or Arrow, or a mapping of columns, not {type(frame).__name__}"
    raise TypeError(message)
