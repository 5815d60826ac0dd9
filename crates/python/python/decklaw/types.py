"""The keys of answers. They are those of the program's JSON; a release may add to them. Those of options are in
`decklaw.options`."""

from __future__ import annotations

import os
from typing import Any, Literal, TypeAlias, TypedDict

Deck: TypeAlias = str | bytes | os.PathLike[str]
"""A deck: its text, or the path of its file."""


class FixOfCard(TypedDict):
    """The copies of a card that fix a finding."""

    section: str
    card: str
    to: int


class _Finding(TypedDict):

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


class Finding(_Finding, total=False):
    """One thing found in a deck. Programs match on `code`, which never changes its meaning."""

    fix: list[FixOfCard]


class Note(TypedDict):
    """What an answer says of its deck or of itself; in a report it is a finding."""

    code: str
    message: str
    line: int | None
    cards: list[str]


class Meter(TypedDict):
    """How a budget or a size of a deck stands."""

    rule: str
    section: str | None
    text: str
    value: int
    low: int | None
    high: int | None


class Report(TypedDict):
    """Everything found in a deck; `cards` are copies by section."""

    deck: str
    verdict: Literal["legal", "incomplete", "illegal", "unreadable"]
    format: str | None
    name: str | None
    player: str | None
    cards: dict[str, int]
    hash: str | None
    findings: list[Finding]
    meters: list[Meter]


class Policy(TypedDict):
    """How a hand is kept; `keep` is `None` where every hand is."""

    mulligan: Literal["none", "aside", "shuffle"]
    limit: int
    bottom: list[int]
    keep: str | None


class Likelihood(TypedDict):
    """From 0 to 1, and the exact fraction."""

    probability: float
    fraction: str


class TotalOdds(Likelihood):
    """How likely a total has a value."""

    value: int


class _Value(TypedDict):
    fraction: str | None
    method: Literal["exact", "refused"]


class ValueOfQuery(_Value, total=False):
    """How likely a query holds, or the mean and the distribution of a total; numbers are `None` where
    `method` is `refused`."""

    probability: float | None
    mean: float | None
    mean_fraction: str | None
    distribution: list[TotalOdds]


class TurnOdds(ValueOfQuery):
    """The value of a query by a turn."""

    turn: int
    seen: int


class BestKeep(TypedDict):
    """What the best way to keep hands gains, and the hands that it keeps after 0, 1, … mulligans."""

    gain: float
    never: float
    never_fraction: str
    rule: list[str]
    keep: list[str | None]


class _OddsOfQuery(ValueOfQuery):
    query: str
    turns: list[TurnOdds]


class OddsOfQuery(_OddsOfQuery, total=False):
    """The value of a query, and what it was asked of where that differs from the answer's own."""

    name: str
    hand: int
    turn: int
    seen: int
    policy: Policy
    best: BestKeep
    work: dict[str, Any]
    notes: list[Note]


class Deal(TypedDict):
    """A sample hand, and whether each query holds of it."""

    cards: list[str]
    satisfies: list[bool]


class _Odds(TypedDict):
    schema: str
    deck: str
    population: int
    hand: int | None
    policy: Policy
    answers: list[OddsOfQuery]
    notes: list[Note]
    rules: dict[str, Any]


class Odds(_Odds, total=False):
    """How likely hands are: `decklaw/odds/1`."""

    deals: list[Deal]


# `from` is a word of the language, so that this one is not written as a class.
Change = TypedDict(
    "Change", {"section": str, "card": str, "from": int, "to": int, "rules": list[str]}
)


Renamed = TypedDict("Renamed", {"from": str, "to": str, "lines": list[int]})
"""A misspelt name that was corrected, and its lines."""


class After(TypedDict):
    """A deck after its changes."""

    verdict: Literal["legal", "incomplete", "illegal", "unreadable"]
    hash: str | None
    findings: list[Finding]


class _Fixed(TypedDict):
    schema: str
    deck: str
    text: str
    changes: list[Change]
    distance: int
    bound: int
    optimal: bool
    settled: bool
    after: After
    notes: list[Note]
    rules: dict[str, Any]


class Fixed(_Fixed, total=False):
    """A deck after the smallest change, `decklaw/fix/1`, and its `text`: `optimal` where it is proven
    that no smaller change will do."""

    mostly_new: bool
    renamed: list[Renamed]
    substitutes: list[dict[str, Any]]


class RoomOfCard(TypedDict):
    """How many more copies of a card fit into a section; `more` is None where there is no limit."""

    section: str
    card: str
    has: int
    more: int | None
    rule: str | None
    message: str | None


class Room(TypedDict):
    """How many more copies of each card fit: `decklaw/room/1`."""

    schema: str
    deck: str
    room: list[RoomOfCard]
    notes: list[Note]
    rules: dict[str, Any]


class Preferred(TypedDict):
    """How far a deck is from a wish."""

    wish: str
    missed: int


class Built(TypedDict):
    """A deck that was built, `decklaw/build/1`, and its `text`."""

    schema: str
    format: str
    deck: dict[str, Any]
    text: str
    distance: int
    bound: int
    optimal: bool
    settled: bool
    preferred: list[Preferred]
    aims: list[dict[str, Any]]
    after: After
    odds: list[OddsOfQuery] | None
    notes: list[Note]
    rules: dict[str, Any]


# `from` again.
Move = TypedDict("Move", {"section": str, "card": str, "from": int, "to": int})


class Hash(TypedDict):
    """A deck in short."""

    verdict: Literal["legal", "incomplete", "illegal", "unreadable"]
    hash: str


class _Exchange(TypedDict):
    exchanges: int
    text: str | None
    changes: list[Move]
    probability: float | None
    fraction: str | None
    optimal: bool
    after: Hash | None


class Exchange(_Exchange, total=False):
    """The best deck within a number of exchanges, and its `text`; none is likelier than `bound`."""

    bound: Likelihood


class Tuned(TypedDict):
    """The exchanges that make a hand likeliest, `decklaw/tune/1`; `before` is of the deck, or of its
    smallest repair where it was not legal (`repaired`)."""

    schema: str
    deck: str
    query: str
    population: int
    hand: int
    draws: int
    policy: Policy
    repaired: dict[str, Any] | None
    before: Likelihood
    steps: list[Exchange]
    without: list[dict[str, Any]]
    notes: list[Note]
    rules: dict[str, Any]


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
    mean: float | None
    mean_fraction: str | None


class DeckStats(TypedDict):
    """What a deck is made of, as the maker of its game counts it."""

    deck: str
    format: str
    name: str | None
    player: str | None
    cards: dict[str, int]
    different: int
    unknown: int
    metrics: list[Metric]
    notes: list[Note]


class Stats(TypedDict):
    """What decks are made of: `decklaw/stats/1`."""

    schema: str
    as_of: str
    rules: dict[str, Any]
    decks: list[DeckStats]


class Table(TypedDict):
    """A match: its file, and who is to decide what next; nobody when it is ready to play."""

    file: str
    awaited: list[dict[str, Any]]
