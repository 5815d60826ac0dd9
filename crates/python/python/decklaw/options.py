"""The options of questions: those of the program's commands, by the names of its JSON.

Made from the questions themselves: `UPDATE_SCHEMAS=1 cargo test -p decklaw-ask --lib schemas`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict


_BuildOptions = TypedDict("_BuildOptions", {"for": str | None}, total=False)


class BuildOptions(_BuildOptions, total=False):
    """Which legal deck satisfies some wishes? The answer of `decklaw build`: with a deck that deck finished, without one a new deck.

    effort: Stop after about this much work [default: 2]
    for: Then improve the odds of this hand
    hand: Cards of the opening hand; by default the game's.
    keep: The cards of the deck that should stay, by name; by default all.
    own: What the player owns; by default every card.
    prefer: What the deck should hold; earlier ones count more
    seed: Choose differently among similar cards
    turn: Improve the odds by this turn [default: the opening hand]
    wish: What the deck must hold, as HAND or 'SECTION: HAND'
    without: Aims of the game's maker to ignore, as they are written.
    """

    effort: float | None
    hand: int | None
    keep: str | Sequence[str] | None
    own: Mapping[str, int] | None
    prefer: str | Sequence[str]
    seed: str | None
    turn: int | None
    wish: str | Sequence[str]
    without: str | Sequence[str]


class FixOptions(TypedDict, total=False):
    """What is the smallest change that makes the deck legal? The answer of `decklaw fix`.

    effort: Stop after about this much work [default: 2]
    keep: Keep these cards
    only: Add only these cards
    own: What the player owns; by default every card.
    """

    effort: float | None
    keep: str | Sequence[str]
    only: str | None
    own: Mapping[str, int] | None


class OddsOptions(TypedDict, total=False):
    """How likely are hands? The answer of `decklaw odds`: without queries, total and path those of the game's presets.

    deal: Deal N sample hands
    draws: Draw N more cards after the opening hand
    effort: Stop after about this much work [default: 2]
    event: Events that change how the game draws, name to turns.
    expect: Show mean and distribution of a total, such as 'sum(mana)'
    given: Condition on the opening hand matching HAND
    hand: Cards in the opening hand [default: the game's]
    keep_hand: Keep opening hands that match [default: those that match the query]
    path: Conditions on the first cards drawn: '7: HAND; 9: HAND'
    policy: Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
    seat: Seat at the table, from 1, where seats draw differently
    section: Draw from this section [default: the game's]
    seed: Seed of the sample hands [default: decklaw]
    show_work: Show the counts behind the numbers
    turns: Show turns 1 to N too
    """

    deal: int
    draws: int
    effort: float | None
    event: Mapping[str, Sequence[int]]
    expect: str | None
    given: str | None
    hand: int | None
    keep_hand: str | None
    path: str | None
    policy: str | None
    seat: int | None
    section: str | None
    seed: str | None
    show_work: bool
    turns: int | None


class RoomOptions(TypedDict, total=False):
    """How many more copies of each card fit? The answer of `decklaw room`.

    effort: Stop after about this much work [default: 2]
    """

    effort: float | None


class StatsOptions(TypedDict, total=False):
    """What is the deck made of? The answer of `decklaw stats`.

    section: Count these sections [default: the game's choice]
    """

    section: str | Sequence[str]


class SwapOptions(TypedDict, total=False):
    """What is the smallest exchange with the side deck? The answer of `decklaw swap`.

    effort: Stop after about this much work [default: 2]
    """

    effort: float | None


class TuneOptions(TypedDict, total=False):
    """Which exchange of cards makes a hand likeliest? The answer of `decklaw tune`.

    changes: Exchange at most N cards, 1 to 60 [default: 5]
    effort: Stop after about this much work [default: 2]
    hand: Cards in the opening hand [default: the game's]
    keep: Keep these cards
    keep_hand: Keep opening hands that match [default: those that match the query]
    only: Add only these cards
    own: What the player owns; by default every card.
    policy: Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
    section: The section drawn from; by default the game's.
    turn: Improve the odds by this turn [default: the opening hand]
    wish: What the deck must hold, as HAND or 'SECTION: HAND'
    """

    changes: int | None
    effort: float | None
    hand: int | None
    keep: str | Sequence[str]
    keep_hand: str | None
    only: str | None
    own: Mapping[str, int] | None
    policy: str | None
    section: str | None
    turn: int | None
    wish: str | Sequence[str]
