"""Reports as rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import Report


def table(
    reports: Iterable[Report], decks: Iterable[object] | None = None
) -> list[dict[str, str | int | None]]:
    """Returns a row for each report, with columns named as in `decklaw check --summary -o csv`: the
    deck, its verdict, its cards, a column for each section, the first finding.

    decks: the names of the decks, in the order of the reports. By default a deck is called as its
    report calls it, and a deck that was no file is called by its number, from 0.

    >>> import decklaw
    >>> reports = decklaw.Game("shell").check_many(["Main\\n9 Moss Sprite\\n"])
    >>> [(row["deck"], row["verdict"], row["main"]) for row in table(reports)]
    [(0, 'illegal', 9)]

    The rows make a frame of any library: `pandas.DataFrame(table(reports))`.
    """
    reports = list(reports)
    names: list[object]
    if decks is None:
        names = [n if report["deck"] == "-" else report["deck"] for n, report in enumerate(reports)]
    else:
        names = list(decks)
    # All rows have the same columns, whichever sections each deck has.
    sections = list(dict.fromkeys(section for report in reports for section in report["cards"]))
    return [_row(name, report, sections) for name, report in zip(names, reports, strict=True)]


def _row(name: object, report: Report, sections: list[str]) -> dict[str, str | int | None]:
    found = report["findings"]
    severities = [finding["severity"] for finding in found]
    return {
        "deck": name if isinstance(name, int) else str(name),
        "player": report["player"],
        "format": report["format"],
        "name": report["name"],
        "verdict": report["verdict"],
        "cards": sum(report["cards"].values()),
        **{section: report["cards"].get(section, 0) for section in sections},
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "notices": severities.count("notice"),
        "first_finding": found[0]["message"] if found else None,
        "hash": report["hash"],
    }
