"""How many decks a second one process judges: many.py [DECKS [FORMAT]].

The decks are distinct: the sample decks of the game with the copies of one card changed, as people hand them
in; and small ones of eight cards at random, at which nearly every rule has something to say. Install the
package as it is released first: `pip install ./crates/python`."""

from __future__ import annotations

import pathlib
import random
import re
import sys
import time

import decklaw

count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
format = sys.argv[2] if len(sys.argv) > 2 else "shell"
root = pathlib.Path(__file__).resolve().parents[3]
game = decklaw.Game(format)
chance = random.Random(1)
samples: list[str] = []
cards: set[str] = set()
for path in sorted((root / "decks" / format.split("/")[0]).glob("*.txt")):
    text = path.read_text(encoding="utf-8")
    if game.check(text)["verdict"] != "unreadable":
        samples.append(text)
        cards.update(card for section, card, _ in game.cards(text) if section == "main")


def changed(number: int) -> str:
    """A sample deck with another number in one line."""
    lines = chance.choice(samples).splitlines()
    counted = [place for place, line in enumerate(lines) if re.match(r"\d+ ", line)]
    place = chance.choice(counted)
    lines[place] = re.sub(r"^\d+", str(chance.randint(1, 4)), lines[place])
    return "\n".join([*lines, f"# {number}", ""])


def at_random(number: int) -> str:
    """A small deck that breaks nearly every rule."""
    some = chance.sample(sorted(cards), min(8, len(cards)))
    return "".join(["Main\n", *(f"{chance.randint(1, 4)} {card}\n" for card in some), f"# {number}\n"])


for kind, made in [("as handed in", changed), ("at random", at_random)]:
    decks = [made(number) for number in range(count)]
    found = sum(len(game.check(deck)["findings"]) for deck in decks[:1000]) / len(decks[:1000])
    size = sum(map(len, decks)) / count
    print(f"{len(set(decks))} {kind} for {format}: {size:.0f} characters, {found:.1f} findings each")
    for threads in [1, None]:
        began, worked = time.perf_counter(), time.process_time()
        game.check_many(decks, threads=threads)
        took, worked = time.perf_counter() - began, time.process_time() - worked
        who = "one thread" if threads == 1 else "all processors"
        print(f"  check_many, {who}: {count / took:,.0f} decks/s ({count / worked:,.0f} a processor's second)")
    some = decks[: count // 10]
    began = time.perf_counter()
    for deck in some:
        game.check(deck)
    print(f"  check, one after the other: {len(some) / (time.perf_counter() - began):,.0f} decks/s")
