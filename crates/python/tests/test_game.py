"""Calls as people make them, and as nobody should."""

from __future__ import annotations

import datetime
import gc
import json
import pathlib
import pickle
import random
import signal
import threading
import time
from typing import Any

import pytest
from conftest import ROOT

import decklaw


def test_an_answer_is_what_json_knows(shell: decklaw.Game, illegal: str) -> None:
    report = shell.check(illegal)
    assert json.loads(json.dumps(report)) == report
    assert report["verdict"] == "illegal"
    assert {finding["code"] for finding in report["findings"]} == {"copies.too-many"}
    assert repr(shell) == "<decklaw.Game shell>" and shell.format == "shell"


def test_a_repair_is_legal_and_counted(shell: decklaw.Game, illegal: str) -> None:
    fixed = shell.fix(illegal)
    report, shown = shell.check(fixed["text"]), fixed["after"]
    assert (report["verdict"], report["hash"]) == (shown["verdict"], shown["hash"])
    assert report["findings"] == shown["findings"]
    assert fixed["after"]["verdict"] == "legal" and fixed["optimal"]
    assert fixed["distance"] == fixed["bound"] == 5
    before = {(section, card): copies for section, card, copies in shell.cards(illegal)}
    after = {(section, card): copies for section, card, copies in shell.cards(fixed["text"])}
    moved = {
        key: (before.get(key, 0), after.get(key, 0))
        for key in before.keys() | after.keys()
        if before.get(key, 0) != after.get(key, 0)
    }
    changes = fixed["changes"]
    assert moved == {(one["section"], one["card"]): (one["from"], one["to"]) for one in changes}
    with pytest.raises(decklaw.ImpossibleError) as raised:
        shell.fix(illegal, only="colour:nobody")
    assert raised.value.reasons
    kept = shell.fix(illegal, keep='"Emerald Moot"', only="mana<=9")
    assert kept["after"]["verdict"] == "legal"


def test_a_misspelt_name_is_corrected_at_no_cost(shell: decklaw.Game, illegal: str) -> None:
    lines = illegal.splitlines()
    written = [number for number, line in enumerate(lines, 1) if line.endswith("Moss Sprite")]
    misspelt = illegal.replace("Moss Sprite", "Mos Sprite")
    right, fixed = shell.fix(illegal), shell.fix(misspelt)
    assert written and "renamed" not in right
    assert fixed["renamed"] == [{"from": "Mos Sprite", "to": "Moss Sprite", "lines": written}]
    assert fixed["distance"] == right["distance"] and fixed["changes"] == right["changes"]
    assert fixed["text"] == right["text"]


def test_what_is_made_holds_the_wishes(shell: decklaw.Game) -> None:
    built = shell.build(wish=["main: 10+ [colour:blue]", "4+ [mana:1]"], prefer="main: 20+ [colour:blue]")
    deck = built["text"]
    assert built["after"]["verdict"] == "legal" and len(built["preferred"]) == 1
    assert shell.build(wish="10+ [colour:blue]", seed="a")["after"]["verdict"] == "legal"
    # A hand of the whole section has ten blue cards for sure.
    size = sum(copies for section, _, copies in shell.cards(deck) if section == "main")
    odds = shell.odds(deck, "10+ [colour:blue]", hand=size, section="main", policy="none")
    assert odds["answers"][0]["probability"] == 1.0


def test_odds_can_be_counted_by_hand(shell: decklaw.Game) -> None:
    # Of 10 cards 3 are asked for; a hand of 4 misses all with 7·6·5·4 / 10·9·8·7 = 1/6.
    deck = "Main\n3 Acorn Courier\n7 Rain Caller\n"
    odds = shell.odds(deck, '1+ "Acorn Courier"', hand=4, policy="none")
    [answer] = odds["answers"]
    assert answer["fraction"] == "5/6" and answer["method"] == "exact" and odds["hand"] == 4
    question = {"ask": "odds", "deck": deck, "queries": ['1+ "Acorn Courier"'], "hand": 4, "policy": "none"}
    assert shell.ask(question) == odds


def test_legal_decks_alone_are_dealt(shell: decklaw.Game, legal: str, illegal: str) -> None:
    table = shell.deal([legal, legal], seed="spring", players=["Ann", "Ben"])
    assert table == shell.deal([legal, legal], seed="spring", players=["Ann", "Ben"])
    assert table != shell.deal([legal, legal], seed="autumn", players=["Ann", "Ben"])
    assert shell.verify(table["file"]) == table
    changed = table["file"].replace('"count": 3', '"count": 2', 1)
    assert changed != table["file"]
    with pytest.raises(decklaw.MatchError):
        shell.verify(changed)
    with pytest.raises(decklaw.IllegalDeckError, match="deck 1 is illegal") as raised:
        shell.deal([legal, illegal])
    assert raised.value.index == 1 and raised.value.report == shell.check(illegal)
    decisions: list[dict[str, Any]] = [{}, {"seat": "A", "step": "nothing"}, {"a": [None, 1.5, {"b": "\u2603"}]}]
    for decision in decisions:
        with pytest.raises(decklaw.MatchError):
            shell.decide(table["file"], decision)
    # A secret is another each time.
    assert shell.deal([legal, legal])["file"] != shell.deal([legal, legal])["file"]


def test_a_path_is_a_deck_and_its_name(shell: decklaw.Game, illegal: str) -> None:
    path = ROOT / "decks/shell/too-many-copies.txt"
    report = shell.check(path)
    assert report == {**shell.check(illegal), "deck": str(path)}
    assert shell.check_many([path, illegal]) == [report, shell.check(illegal)]
    assert shell.fix(path)["text"] == shell.fix(illegal)["text"]
    for read in [shell.check, shell.cards, shell.stats, shell.fix]:
        with pytest.raises(FileNotFoundError):
            read(pathlib.Path("no-such-deck.txt"))
    with pytest.raises(FileNotFoundError):
        shell.check_many([path, pathlib.Path("no-such-deck.txt")])


def test_the_ending_of_a_path_is_its_kind(shell: decklaw.Game, tmp_path: pathlib.Path) -> None:
    table = tmp_path / "deck.csv"
    table.write_text("count,name\n9,Moss Sprite\n", encoding="utf-8")
    assert shell.check(table)["cards"]["main"] == 9


def test_a_pickled_game_judges_alike(legal: str) -> None:
    few = (ROOT / "formats/shell/cards.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    runner = ROOT / "examples/games/netrunner"
    games = [
        decklaw.Game("shell"),
        decklaw.Game("shell", cards=("few.csv", "".join(few[:2]).encode())),
        decklaw.Game("vainqueur", day="2026-06-01", settings={"min": 40, "max": 60}, banlist=False),
        decklaw.Game.from_dir(runner, format="netrunner/runner"),
    ]
    for game in games:
        again = pickle.loads(pickle.dumps(game))
        assert again.format == game.format and again.check(legal) == game.check(legal)


def test_the_version_is_a_version() -> None:
    assert [part.isdigit() for part in decklaw.__version__.split(".")] == [True, True, True]


HOSTILE: list[str | bytes] = [
    "",
    "\0",
    "\ud800",
    b"\xff\xfe\x00",
    b"\xef\xbb\xbfMain\n2 Rain Caller\n",
    "Main\n" + "9" * 400 + " Moss Sprite\n",
    "Main\n-1 Moss Sprite\n",
    "Main\n1 " + "x" * 100_000,
    "Main\n" * 10_000,
    "[" * 100_000,
    "{" * 100_000,
    "Main\n2 \u202eRain Caller\n",
    "Main\r2 Rain Caller\r\n",
    "decklaw:" + "A" * 1000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_has_a_report(shell: decklaw.Game, text: str | bytes) -> None:
    report = shell.check(text)
    assert report["verdict"] in {"illegal", "incomplete", "unreadable"}
    assert report["verdict"] == "incomplete" or report["findings"]
    assert shell.check_many([text, text], threads=2) == [report, report]
    if report["verdict"] == "unreadable":
        with pytest.raises(decklaw.UnreadableError) as raised:
            shell.fix(text)
        assert raised.value.report == report and str(raised.value)


def test_noise_is_no_crash(shell: decklaw.Game, legal: str) -> None:
    chance = random.Random(7)
    texts: list[bytes] = []
    for _ in range(500):
        deck = bytearray(legal.encode())
        for _ in range(chance.randrange(1, 20)):
            deck[chance.randrange(len(deck))] = chance.randrange(256)
        texts.append(bytes(deck))
    reports = shell.check_many(texts)
    assert reports == [shell.check(text) for text in texts]


REFUSED: list[tuple[type[Exception], str, Any]] = [
    (TypeError, "NoneType", lambda game, deck: game.check(None)),
    (TypeError, "deck 1", lambda game, deck: game.check_many([deck, 7])),
    (TypeError, "one text", lambda game, deck: game.check_many(deck)),
    (TypeError, "one text", lambda game, deck: game.deal(deck)),
    (ValueError, "thread", lambda game, deck: game.check_many([deck], threads=0)),
    (OverflowError, "", lambda game, deck: game.check_many([deck], threads=-1)),
    (decklaw.QuestionError, "never closed", lambda game, deck: game.odds(deck, "1+ [mana<=")),
    (decklaw.QuestionError, "-1", lambda game, deck: game.odds(deck, "1+ []", hand=-1)),
    (decklaw.QuestionError, "4000000000", lambda game, deck: game.odds(deck, "1+ []", hand=4 * 10**9)),
    (decklaw.QuestionError, "4000000000", lambda game, deck: game.odds(deck, "1+ []", turns=4 * 10**9)),
    (decklaw.QuestionError, "nowhere", lambda game, deck: game.odds(deck, "1+ []", section="nowhere")),
    (decklaw.QuestionError, "", lambda game, deck: game.tune(deck, "1+ []", changes=0)),
    (decklaw.QuestionError, "", lambda game, deck: game.tune(deck, "1+ []", changes=10**9)),
    (decklaw.QuestionError, "", lambda game, deck: game.build(wish="12+ [")),
    (decklaw.QuestionError, "unknown field `wishes`", lambda game, deck: game.build(wishes="4+ []")),
    (TypeError, "`deck` is no option", lambda game, deck: game.fix(deck, deck=deck)),
    (decklaw.ImpossibleError, "no such deck", lambda game, deck: game.build(wish="shells: 4+ []")),
    (decklaw.MatchError, "", lambda game, deck: game.verify("{}")),
    (decklaw.MatchError, "", lambda game, deck: game.verify("[" * 100_000)),
    (decklaw.MatchError, "", lambda game, deck: game.deal([])),
    (decklaw.MatchError, "", lambda game, deck: game.deal([deck] * 9, seed="a")),
    (decklaw.GameError, "no-such-game", lambda game, deck: decklaw.Game("no-such-game")),
    (decklaw.GameError, "tomorrow", lambda game, deck: decklaw.Game("shell", day="tomorrow")),
    (decklaw.GameError, "nothing", lambda game, deck: decklaw.Game("shell", settings={"nothing": 1})),
    (decklaw.GameError, "no.csv", lambda game, deck: decklaw.Game("shell", cards="no.csv")),
    (decklaw.GameError, "", lambda game, deck: decklaw.Game.from_dir("no-such-folder")),
]


@pytest.mark.parametrize("kind, said, call", REFUSED, ids=range(len(REFUSED)))
def test_a_wrong_call_says_why(
    shell: decklaw.Game, legal: str, kind: type[Exception], said: str, call: Any
) -> None:
    with pytest.raises(kind) as raised:
        call(shell, legal)
    assert said in str(raised.value) and str(raised.value)
    # A worker of multiprocessing sends it to who waits.
    sent = pickle.loads(pickle.dumps(raised.value))
    assert str(sent) == str(raised.value) and vars(sent) == vars(raised.value)
    # Whoever embeds it can catch all at once.
    assert isinstance(raised.value, (decklaw.Error, TypeError, ValueError, OverflowError))


def test_the_place_of_a_fault_is_told(shell: decklaw.Game, legal: str) -> None:
    query = '1+ "Æsc Warden" or 1+ [manna<=2]'
    with pytest.raises(decklaw.QuestionError) as raised:
        shell.odds(legal, query)
    assert raised.value.span is not None
    first, after = raised.value.span
    assert query.encode()[first:after] == b"manna"


def test_games_of_folders_and_files(legal: str) -> None:
    folder = ROOT / "formats/shell"
    game = decklaw.Game.from_dir(folder)
    assert game.check(legal) == decklaw.Game("shell").check(legal)
    cards = folder / "cards.csv"
    given: list[str | pathlib.Path | tuple[str, bytes]]
    given = [cards, str(cards), ("cards.csv", cards.read_bytes())]
    for one in given:
        assert decklaw.Game("shell", cards=one).check(legal)["verdict"] == "legal"
    few = "".join(cards.read_text(encoding="utf-8").splitlines(keepends=True)[:2])
    report = decklaw.Game("shell", cards=("few.csv", few.encode())).check(legal)
    assert report["verdict"] == "illegal"
    runner = decklaw.Game.from_dir(ROOT / "examples/games/netrunner", format="netrunner/runner")
    assert runner.format == "netrunner/runner"
    with pytest.raises(decklaw.GameError, match="several formats"):
        decklaw.Game.from_dir(ROOT / "examples/games/netrunner")


def test_days_are_dates_and_texts() -> None:
    day = datetime.date(2026, 6, 1)
    days: list[str | datetime.date] = [day, datetime.datetime(2026, 6, 1, 12), "2026-06-01"]
    for given in days:
        assert decklaw.Game("vainqueur", day=given, banlist=False).format == "vainqueur"


def test_many_are_judged_in_their_order(shell: decklaw.Game, legal: str) -> None:
    texts = [f"Main\n{copies} Moss Sprite\n" for copies in range(1, 60)] * 40
    expected = list(range(1, 60)) * 40
    for threads in [None, 1, 2, 7, 64, 10_000]:
        reports = shell.check_many((text for text in texts), threads=threads)
        assert [report["cards"]["main"] for report in reports] == expected
    assert shell.check_many([]) == []
    # A dict of many is that of one, with its keys in their order.
    one, [other] = shell.check(texts[0]), shell.check_many([texts[0]])
    assert json.dumps(one) == json.dumps(other) and one["findings"]
    # Python collects its garbage as before.
    assert gc.isenabled()
    gc.disable()
    shell.check_many(texts[:2])
    assert not gc.isenabled()
    gc.enable()


def test_many_can_be_interrupted(shell: decklaw.Game) -> None:
    texts = [f"Main\n1 Moss Sprite\n# {number}\n" for number in range(200_000)]
    alarm = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    began = time.monotonic()
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        shell.check_many(texts)
        time.sleep(30)
    assert time.monotonic() - began < 20
    assert gc.isenabled()


def test_a_mapping_is_an_iterable(shell: decklaw.Game, legal: str) -> None:
    assert shell.check_many({legal: 1})[0]["verdict"] == "legal"


def test_threads_share_a_game(shell: decklaw.Game, legal: str, illegal: str) -> None:
    expected = {legal: shell.check(legal), illegal: shell.check(illegal)}
    wrong: list[str] = []

    def ask(text: str) -> None:
        for _ in range(50):
            if shell.check(text) != expected[text]:
                wrong.append(text)

    threads = [threading.Thread(target=ask, args=[text]) for text in [legal, illegal] * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_go_on_meanwhile(shell: decklaw.Game, legal: str) -> None:
    ended = threading.Event()
    ticks = 0

    def judge() -> None:
        shell.tune(legal, "1+ [mana<=1] and 1+ [mana:2] and 1+ [mana:3]", changes=4)
        ended.set()

    thread = threading.Thread(target=judge)
    began = time.monotonic()
    thread.start()
    while not ended.wait(0.001):
        ticks += 1
    thread.join()
    took = time.monotonic() - began
    # With the lock held all the while there would be a tick or two.
    assert took < 0.05 or ticks > 5, (took, ticks)
