#!/usr/bin/env python3
"""The same questions put to decklaw's odds engine and to icepool, answers and times compared.

Run `cargo bench --bench odds` and `cargo build --release` first: decklaw's times are the
bench's, of the engine on a prepared deck and query; icepool's are of its evaluation alone,
its deck being made beforehand and its cache emptied. Needs the PyPI package icepool; without
it, or without the bench's figures, nothing is compared and the script says so.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

try:
    import icepool
    from icepool import Deck, MultisetEvaluator
except ImportError:
    print("skipped: the Python package icepool is not installed")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target/release/decklaw"
ESTIMATES = ROOT / "target/criterion"

EIGHT = ([4, 4, 4, 4, 3, 3, 8, 10], 60)
NINE = ([2] * 18, 40)
THREE = ([4, 8, 12], 50)


def counts_of(groups, size):
    named = {at: copies for at, copies in enumerate(groups)}
    named[len(groups)] = size - sum(groups)
    return named


class Ranges(MultisetEvaluator):
    """Every group's count lies in its range: fails as soon as one does not."""

    def __init__(self, ranges):
        self.ranges = ranges

    def next_state(self, state, order, outcome, /, count):
        low, high = self.ranges.get(outcome, (0, 99))
        return state is not False and low <= count <= high

    def final_outcome(self, final_state, /, *_):
        return bool(final_state)


class Pairs(MultisetEvaluator):
    """Some pair of groups has a card of each: remembers the halves that may still matter."""

    def __init__(self, pairs):
        self.partner = {}
        for one, other in pairs:
            self.partner[max(one, other)] = min(one, other)
        self.firsts = set(self.partner.values())

    def next_state(self, state, order, outcome, /, count):
        if order < 0:
            raise icepool.UnsupportedOrder()
        state = state or frozenset()
        if state == "met":
            return state
        if outcome in self.firsts and count:
            return state | {outcome}
        if outcome in self.partner:
            first = self.partner[outcome]
            if count and first in state:
                return "met"
            return state - {first}
        return state

    def final_outcome(self, final_state, /, *_):
        return final_state == "met"


class Counts(MultisetEvaluator):
    """The groups held and their counts; a group that the deck has no card of is not seen."""

    def next_state(self, state, order, outcome, /, count):
        return (state or ()) + ((outcome, count),)

    def final_outcome(self, final_state, /, *_):
        return final_state


def probability(die):
    return Fraction(die.quantity(True), die.denominator())


def deal_once(groups, size, hand, evaluator):
    deck = Deck(counts_of(groups, size))
    return lambda: probability(evaluator()(deck.deal(hand)))


def set_aside(groups, size, hand, holds):
    """A hand that fails is set aside and a second comes from the rest."""
    whole = counts_of(groups, size)
    deck = Deck(whole)

    def ask():
        first = Counts()(deck.deal(hand))
        met = Fraction(0)
        for counts, ways in first.items():
            share = Fraction(ways, first.denominator())
            if holds(dict(counts)):
                met += share
                continue
            held = dict(counts)
            rest = Deck({card: whole[card] - held[card] for card in whole})
            second = Counts()(rest.deal(hand))
            good = sum(ways for counts, ways in second.items() if holds(dict(counts)))
            met += share * Fraction(good, second.denominator())
        return met

    return ask


CONJUNCTION = (
    '1+ "g0" and 1+ "g1" and 1- "g2" and 1- "g3" and 1- "g4" and no "g5" '
    'and 1+ "g6" and 1..3 "g7"'
)
RANGES = {0: (1, 99), 1: (1, 99), 2: (0, 1), 3: (0, 1), 4: (0, 1), 5: (0, 0), 6: (1, 99), 7: (1, 3)}
CLAUSES = [(0, 1), (2, 3), (4, 5), (6, 7)]
COMBOS = [(at, 17 - at) for at in range(9)]


def either(pairs):
    return " or ".join(f'(1+ "g{one}" and 1+ "g{other}")' for one, other in pairs)


QUESTIONS = [
    ("conjunction of 8 groups, 7 of 60", EIGHT, 7, CONJUNCTION, [],
     deal_once(*EIGHT, 7, lambda: Ranges(RANGES))),
    ("8 groups in 4 or-clauses, 7 of 60", EIGHT, 7, either(CLAUSES), [],
     deal_once(*EIGHT, 7, lambda: Pairs(CLAUSES))),
    ("union of 9 two-card combos, 5 of 40", NINE, 5, either(COMBOS), [],
     deal_once(*NINE, 5, lambda: Pairs(COMBOS))),
    ("one set-aside mulligan over 3 groups, 6 of 50", THREE, 6,
     '1+ "g0" and 1+ "g1" or 2+ "g2"', ["--policy", "aside, at most 1"],
     set_aside(*THREE, 6, lambda c: c.get(0, 0) >= 1 and c.get(1, 0) >= 1 or c.get(2, 0) >= 2)),
]


def decklaw_answer(deck, hand, query, flags):
    groups, size = deck
    lines = [f"{copies} g{at}" for at, copies in enumerate(groups)]
    lines.append(f"{size - sum(groups)} other")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "deck.txt"
        path.write_text("Format: any\n\nMain\n" + "\n".join(lines) + "\n")
        call = [PROGRAM, "odds", path, query, "--hand", str(hand), "-o", "json", *flags]
        done = subprocess.run(call, capture_output=True, text=True, check=True)
    return Fraction(json.loads(done.stdout)["answers"][0]["fraction"])


def decklaw_seconds(name):
    estimates = ESTIMATES / name / "new/estimates.json"
    return json.loads(estimates.read_text())["median"]["point_estimate"] * 1e-9


def best_of(ask, runs=5):
    shortest = float("inf")
    for _ in range(runs):
        begun = time.perf_counter()
        answer = ask()
        shortest = min(shortest, time.perf_counter() - begun)
    return answer, shortest


def main():
    names = [name for name, *_ in QUESTIONS]
    if not PROGRAM.exists() or not all((ESTIMATES / name).exists() for name in names):
        print("skipped: run `cargo build --release` and `cargo bench --bench odds` first")
        return 0
    print(f"{'question':47} {'icepool':>12} {'decklaw':>12} {'ratio':>9}")
    differs = False
    for name, deck, hand, query, flags, ask in QUESTIONS:
        answer, slow = best_of(ask)
        same = answer == decklaw_answer(deck, hand, query, flags)
        differs |= not same
        fast = decklaw_seconds(name)
        verdict = "" if same else "  THE ANSWERS DIFFER"
        print(f"{name:47} {slow * 1e3:9.3f} ms {fast * 1e6:9.3f} us {slow / fast:8.0f}x{verdict}")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
