"""The keys of answers. They are those of the program's JSON; a release may add to them."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Finding(TypedDict):
    """One thing that was found of a deck. Programs match on `code`, which never changes its meaning."""

    rule: str
    code: str
    severity: Literal["error", "warning", "notice"]
    section: str | None
    cards: list[str]
    message: str
    help: str | None
    limit: int | None
    actual: int | None
    source: str | None
    line: int | None
    column: int | None


class Report(TypedDict):
    """Everything that was found of a deck, worst first; `cards` are copies by section."""

    verdict: Literal["legal", "incomplete", "illegal", "unreadable"]
    format: str | None
    name: str | None
    player: str | None
    cards: dict[str, int]
    hash: str | None
    findings: list[Finding]


class TurnOdds(TypedDict):
    """How likely a query holds by a turn."""

    turn: int
    seen: int
    probability: float | None
    fraction: str | None


class Odds(TypedDict):
    """How likely a query holds; both numbers are `None` where `method` is `refused`."""

    query: str
    probability: float | None
    fraction: str | None
    method: Literal["exact", "refused"]
    turns: list[TurnOdds]
    hand: int | None
    remarks: list[str]


# `from` is a word of the language, so that this one is not written as a class.
Change = TypedDict(
    "Change", {"section": str, "card": str, "from": int, "to": int, "rules": list[str]}
)


Renamed = TypedDict("Renamed", {"from": str, "to": str, "lines": list[int]})
"""A misspelt name that was corrected, and its lines."""


class Fixed(TypedDict):
    """A deck that was mended: `optimal` where it is proven that none is nearer."""

    deck: str
    changes: list[Change]
    distance: int
    bound: int
    optimal: bool
    after: Report
    renamed: list[Renamed]


class Room(TypedDict):
    """How many more copies of a card fit into a section; `more` is None where there is no limit."""

    section: str
    card: str
    has: int
    more: int | None
    rule: str | None
    message: str | None


class Built(TypedDict):
    """A deck that was made: `missed` tells how far it is from each preferred wish."""

    deck: str
    optimal: bool
    missed: list[int]
    after: Report


class Likelihood(TypedDict):
    """From 0 to 1, and the exact fraction."""

    probability: float
    fraction: str


class Exchange(TypedDict):
    """The best deck within a number of exchanges: none is likelier than `bound`."""

    exchanges: int
    deck: str
    changes: list[Change]
    probability: float
    fraction: str
    optimal: bool
    bound: float
    after: Report


class Tuned(TypedDict):
    """`before` is of the deck, or of its smallest repair where it was not legal (`repaired`)."""

    before: Likelihood
    repaired: bool
    steps: list[Exchange]


class Count(TypedDict):
    """The copies with a value."""

    key: str
    value: int


class _Metric(TypedDict):
    id: str
    name: str


class Metric(_Metric, total=False):
    """One thing that is measured: values with their copies, or a sum with its mean."""

    counts: list[Count]
    sum: int
    cards: int
    mean: float
    mean_fraction: str


class Stats(TypedDict):
    """What a deck is made of, as the maker of its game counts it."""

    cards: dict[str, int]
    different: int
    metrics: list[Metric]


class Table(TypedDict):
    """A match: its file, and who is to decide what next; nobody when it is ready to play."""

    file: str
    awaited: list[dict[str, Any]]
