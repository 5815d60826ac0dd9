"""The package against the program: where a call says nothing more, both answer the same."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import DECKS, ROOT, program

import decklaw


def games() -> dict[str, tuple[decklaw.Game, bytes, Any]]:
    """Each sample deck: its game, its bytes, and what `check` says."""
    made: dict[str, decklaw.Game] = {}
    found = {}
    for entry in program("check", "decks")["decks"]:
        path = ROOT / entry["deck"]
        if path in DECKS and entry["format"] in decklaw.Game.formats():
            game = made.setdefault(entry["format"], decklaw.Game(entry["format"]))
            found[entry["deck"]] = (game, path.read_bytes(), entry)
    assert len(found) > 30
    return found


def test_check_says_what_the_program_says() -> None:
    for path, (game, deck, entry) in games().items():
        report = game.check(deck)
        assert {**report, "deck": path} == entry


def test_statistics_and_odds_are_the_programs() -> None:
    asked = 0
    for path, (game, deck, entry) in games().items():
        if entry["verdict"] == "unreadable":
            continue
        told = program("stats", path)["decks"][0]
        stats: Any = game.stats(deck)
        assert stats["decks"][0]["metrics"] == told["metrics"], path
        name = next(card for _, card, _ in game.cards(deck) if '"' not in card)
        query = f'1+ "{name}"'
        answered = program("odds", path, query, "--turns", 3)
        try:
            odds: Any = game.odds(deck, query, turns=3)
        except decklaw.QuestionError:
            assert answered is None, path
            continue
        assert {**odds, "deck": path} == answered
        asked += 1
    assert asked > 15


def test_a_repair_is_that_of_fix() -> None:
    count = renamed = 0
    for path, (game, deck, entry) in games().items():
        if entry["verdict"] == "unreadable":
            continue
        told = program("fix", path)
        try:
            fixed: Any = game.fix(deck)
        except decklaw.ImpossibleError as error:
            assert error.reasons == told["reasons"]
            continue
        assert game.check(fixed.pop("text"))["hash"] == fixed["after"]["hash"]
        assert {**fixed, "deck": path} == told
        count += 1
        renamed += len(fixed.get("renamed", []))
    assert count > 20 and renamed > 0


def test_room_and_swaps_are_the_programs() -> None:
    swapped = 0
    for path, (game, deck, entry) in games().items():
        if entry["verdict"] == "unreadable":
            continue
        assert game.room(deck)["room"] == program("room", path)["room"], path
        firsts = {section: name for section, name, _ in reversed(game.cards(deck))}
        for wish in (f'{way}: "{name}"' for name in firsts.values() for way in ("in", "out")):
            told = program("swap", path, wish)
            try:
                found: Any = game.swap(deck, wish)
            except decklaw.QuestionError:
                assert told is None, path
                continue
            except decklaw.ImpossibleError:
                assert told["after"] is None, path
                continue
            assert found["after"]["hash"] == told["after"]["hash"], path
            assert found["changes"] == told["changes"], path
            assert found["optimal"] == told["optimal"], path
            swapped += 1
    assert swapped > 1


def test_what_is_made_and_tuned_is_the_programs(legal: str) -> None:
    for format in ["shell", "vanquishers", "versus/fast"]:
        built: Any = decklaw.Game(format).build()
        told = program("build", format)
        assert built["after"]["hash"] == told["after"]["hash"]
        assert built["optimal"] == told["optimal"]
    tuned: Any = decklaw.Game("shell").tune(legal, "1+ [mana<=1]", changes=2)
    told = program("tune", "decks/shell/ebb.txt", "1+ [mana<=1]", "--changes", 2)
    assert tuned["before"] == told["before"] and len(tuned["steps"]) == len(told["steps"])
    for step, other in zip(tuned["steps"], told["steps"]):
        assert step["after"]["hash"] == other["after"]["hash"]
        assert (step["fraction"], step["optimal"]) == (other["fraction"], other["optimal"])


@pytest.mark.parametrize("settings", [{"min": 40, "max": 60, "copies": 3}])
def test_settings_are_those_of_set(settings: dict[str, int]) -> None:
    deck = ROOT / "decks/vainqueur/barley-crown.txt"
    given = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    told = program("check", deck, *given)["decks"][0]
    report = decklaw.Game("vainqueur", settings=settings).check(deck.read_bytes())
    assert report["verdict"] == told["verdict"] == "legal"
    assert report["findings"] == told["findings"] == []
