"""Flat rows of reports, and frames of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    import pandas
    import polars

    from .types import Report


class Row(TypedDict):
    """A deck in one row: its copies, how much was found of each weight, which codes, and the first
    message of the worst."""

    verdict: str
    format: str | None
    name: str | None
    player: str | None
    cards: int
    hash: str | None
    errors: int
    warnings: int
    notices: int
    codes: str
    message: str | None


class FindingRow(TypedDict):
    """A finding in one row: `deck` is the place of its report, from 0; cards are joined by "; "."""

    deck: int
    verdict: str
    rule: str
    code: str
    severity: str
    section: str | None
    cards: str
    message: str
    mend: str | None
    limit: int | None
    actual: int | None
    source: str | None
    line: int | None
    column: int | None


def _row(report: Report) -> Row:
    found = report["findings"]
    weights = [finding["severity"] for finding in found]
    return {
        "verdict": report["verdict"],
        "format": report["format"],
        "name": report["name"],
        "player": report["player"],
        "cards": sum(report["cards"].values()),
        "hash": report["hash"],
        "errors": weights.count("error"),
        "warnings": weights.count("warning"),
        "notices": weights.count("notice"),
        "codes": "; ".join(dict.fromkeys(finding["code"] for finding in found)),
        "message": found[0]["message"] if found else None,
    }


def table(reports: Iterable[Report]) -> list[Row]:
    """A flat row of each report, in their order."""
    return [_row(report) for report in reports]


def findings(reports: Iterable[Report]) -> list[FindingRow]:
    """A flat row of each finding of each report."""
    return [
        {
            "deck": deck,
            "verdict": report["verdict"],
            "rule": finding["rule"],
            "code": finding["code"],
            "severity": finding["severity"],
            "section": finding["section"],
            "cards": "; ".join(finding["cards"]),
            "message": finding["message"],
            "mend": finding["mend"],
            "limit": finding["limit"],
            "actual": finding["actual"],
            "source": finding["source"],
            "line": finding["line"],
            "column": finding["column"],
        }
        for deck, report in enumerate(reports)
        for finding in report["findings"]
    ]


_COUNTS = {"cards", "errors", "warnings", "notices", "deck", "limit", "actual", "line", "column"}


def _columns(rows: list[Row] | list[FindingRow]) -> dict[str, bool]:
    """The columns of rows, and which of them hold numbers; of no rows those of `table`."""
    kind: type[Row] | type[FindingRow] = FindingRow if rows and "rule" in rows[0] else Row
    numbers = _COUNTS - {"cards"} if kind is FindingRow else _COUNTS
    return {column: column in numbers for column in kind.__annotations__}


def to_pandas(rows: list[Row] | list[FindingRow]) -> pandas.DataFrame:
    """A frame of pandas of the rows of `table` or `findings`. Columns have the same kinds, whatever
    is missing: numbers are Int64, the rest text."""
    import pandas

    return pandas.DataFrame(
        {
            column: pandas.Series(
                [row.get(column) for row in rows], dtype="Int64" if number else "string"
            )
            for column, number in _columns(rows).items()
        }
    )


def to_polars(rows: list[Row] | list[FindingRow]) -> polars.DataFrame:
    """A frame of polars of the rows of `table` or `findings`."""
    import polars

    kinds = {
        column: polars.Int64 if number else polars.String
        for column, number in _columns(rows).items()
    }
    return polars.DataFrame(rows, schema=kinds)
