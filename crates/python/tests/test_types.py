"""Every answer has the keys and the types that `decklaw.types` lists, and no others."""

from __future__ import annotations

import types as kinds
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import decklaw
from decklaw import types
from decklaw.options import BuildOptions, OddsOptions


def misfits(value: Any, kind: Any, place: str) -> Iterator[str]:
    """What of a value is not as its type says."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if is_typeddict(kind):
        wanted, had = get_type_hints(kind), value.keys() if isinstance(value, dict) else set()
        for key in kind.__required_keys__ - had:
            yield f"{place} has no `{key}`"
        for key in had - wanted.keys():
            yield f"{place} has `{key}`, which its type has not"
        for key in had & wanted.keys():
            yield from misfits(value[key], wanted[key], f"{place}.{key}")
    elif origin in (Union, kinds.UnionType):
        if all(any(True for _ in misfits(value, part, place)) for part in parts):
            yield f"{place} is {value!r}, and not {kind}"
    elif origin is Literal:
        if value not in parts:
            yield f"{place} is {value!r}, and not one of {parts}"
    elif origin in (list, dict):
        if not isinstance(value, origin):
            yield f"{place} is {value!r}, and not {kind}"
            return
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from misfits(value[key], parts[-1], f"{place}[{key}]")
    elif not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        yield f"{place} is {value!r}, and not {kind.__name__}"


def test_a_misfit_is_found() -> None:
    right: dict[str, Any] = {"section": "main", "card": "Acorn", "to": 2}
    assert not list(misfits(right, types.FixOfCard, ""))
    wrong: list[dict[str, Any]] = [{**right, "to": True}, {**right, "more": 1}, {"section": "main", "card": "Acorn"}]
    for value in wrong:
        assert list(misfits(value, types.FixOfCard, "")), value


@pytest.mark.parametrize("format", [format for format in decklaw.Game.formats() if format != "any"])
def test_answers_have_the_keys_of_their_types(format: str) -> None:
    game = decklaw.Game(format)
    wrong: list[str] = []

    def look(value: Any, kind: Any) -> None:
        wrong.extend(misfits(value, kind, kind.__name__))

    legal = game.build(effort=0.1)["text"]
    one, other, *_ = (f'1+ "{card}"' for _, card, _ in game.cards(legal))
    for hand in None, one:
        wishes: BuildOptions = {"effort": 0.1, "prefer": one, "for": hand, "hand": 3}
        look(game.build(**wishes), types.Built)
    misspelt = "\n".join(line[:-1] if line[:1].isdigit() else line for line in legal.splitlines())
    for deck in legal, misspelt, legal + "\n9 Nobody's Card\n", "Main\n", "\0":
        look(game.check(deck), types.Report)
    for deck in legal, misspelt:
        look(game.stats(deck), types.Stats)
        look(game.room(deck), types.Room)
        look(game.fix(deck, effort=0.1), types.Fixed)
    more: list[OddsOptions] = [{"hand": 3, "path": f"3: {one}; 4: {other}"}]
    if format == "shell":
        more += [{"draws": 1}, {"given": "1+ [mana<=1]"}, {"keep_hand": "best"}, {"expect": "sum(mana)"}]
    for options in more:
        look(game.odds(legal, one, **options), types.Odds)
    for deal in 0, 2:
        odds = game.odds(legal, [one, f"{one} and {other}"], hand=3, turns=2, deal=deal, show_work=deal > 0)
        look(odds, types.Odds)
    look(game.tune(legal, one, hand=3, changes=1, effort=0.1), types.Tuned)
    assert not wrong, "\n".join(wrong)
