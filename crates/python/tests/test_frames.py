"""Tables in, tables out."""

from __future__ import annotations

import csv
import io
import pathlib
import subprocess
import warnings
from typing import Any

import pandas
import polars
import pyarrow
import pytest
from beyond import compared
from conftest import DECKS, ROOT, path_of_program

import decklaw

SHELL = [path for path in DECKS if path.parent.name == "shell"]


def table_of_program(*call: str) -> list[dict[str, str]]:
    """The rows of a table of the program about the sample decks of one game."""
    run = subprocess.run(
        [path_of_program(), *call, "-o", "csv", "-q"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    return list(csv.DictReader(io.StringIO(run.stdout)))


def as_written(value: object) -> str:
    return "" if value is None else str(value)


def rows_of(columns: dict[str, list[Any]]) -> list[dict[str, str]]:
    """The rows of a table, written as in CSV, with the paths of decks for their numbers."""
    columns = {**columns, "deck": [str(SHELL[row].relative_to(ROOT)) for row in columns["deck"]]}
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, map(as_written, row))) for row in rows]


def numbers(rows: list[dict[str, str]]) -> list[dict[str, object]]:
    """Rows whose values are numbers where they can be: `56` and `56.0` are one."""

    def number(text: str) -> object:
        try:
            return float(text)
        except ValueError:
            return text

    return [{name: number(value) for name, value in row.items()} for row in rows]


def test_the_columns_are_those_of_the_program(shell: decklaw.Game) -> None:
    frame = {"deck": SHELL}
    calls: list[tuple[list[str], dict[str, list[Any]]]] = [
        (["check", "--summary"], shell.check_frame(frame)),
        (["stats"], shell.stats_frame(frame)),
        (["stats", "--cards"], shell.stats_frame(frame, cards=True)),
        (["odds", "1+ [mana<=1]", "--turns", "2"], shell.odds_frame(frame, "1+ [mana<=1]", turns=2)),
        (["odds", "--expect", "sum(mana)"], shell.odds_frame(frame, [], expect="sum(mana)")),
    ]
    for [command, *options], columns in calls:
        said = table_of_program(command, "decks/shell", *options)
        found = rows_of(columns)
        # A deck that has no answer has a row here, and none there.
        found = [row for row in found if command == "check" or any(list(row.values())[4:])]
        assert list(columns) == list(said[0]), command
        assert numbers(found) == numbers(said), command


KINDS: list[Any] = [
    lambda columns: columns,
    pandas.DataFrame,
    polars.DataFrame,
    pyarrow.table,
    pyarrow.RecordBatch.from_pydict,
]


def to_dict(table: Any) -> dict[str, list[Any]]:
    if isinstance(table, pandas.DataFrame):
        # Pandas has its own nothing.
        columns = table.astype(object).where(table.notna(), None)
        return {str(name): list(columns[name]) for name in columns}
    if isinstance(table, polars.DataFrame):
        return table.to_dict(as_series=False)
    return table if isinstance(table, dict) else table.to_pydict()


@pytest.mark.parametrize("kind", KINDS, ids=["dict", "pandas", "polars", "arrow", "batch"])
def test_a_table_comes_back_in_its_kind(shell: decklaw.Game, legal: str, kind: Any) -> None:
    decks = [legal, None, "no deck {", "Main\n9 Moss Sprite\n"]
    asked: list[Any] = [
        shell.check_frame,
        shell.stats_frame,
        lambda frame: shell.stats_frame(frame, cards=True),
        lambda frame: shell.odds_frame(frame, "1+ [mana<=1]"),
    ]
    for given in (decks, decks[:0]):
        frame = kind({"id": list(range(len(given))), "deck": given})
        columns = {"deck": given}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for ask in asked:
                answer = ask(frame)
                assert type(answer) is type(frame)
                assert to_dict(answer) == ask(columns)
    verdicts = shell.check_frame({"deck": decks})
    assert verdicts["deck"] == [0, 1, 2, 3]
    assert verdicts["verdict"] == ["legal", "unreadable", "unreadable", "illegal"]
    assert verdicts["size"] == [shell.check_frame({"deck": [legal]})["size"][0], None, None, 9]
    assert "the deck is missing" in verdicts["first_finding"][1]


def test_the_index_of_pandas_is_kept(shell: decklaw.Game, legal: str) -> None:
    frame = pandas.DataFrame({"deck": [legal, legal]}, index=["a", "b"])
    assert list(shell.check_frame(frame).index) == ["a", "b"]
    assert list(dict.fromkeys(shell.stats_frame(frame).index)) == ["a", "b"]
    joined = frame.join(shell.check_frame(frame)["verdict"])
    assert list(joined["verdict"]) == ["legal", "legal"]


def test_kinds_of_columns_do_not_rest_on_the_decks(shell: decklaw.Game, legal: str) -> None:
    full, empty = (pandas.DataFrame({"deck": decks}, dtype=object) for decks in ([legal], []))
    asked: list[Any] = [
        shell.check_frame,
        shell.stats_frame,
        lambda frame: shell.stats_frame(frame, cards=True),
        lambda frame: shell.odds_frame(frame, "1+ [mana<=1]"),
    ]
    for ask in asked:
        assert dict(ask(full).dtypes) == dict(ask(empty).dtypes)


def test_a_column_names_formats() -> None:
    paths = [ROOT / "decks/versus/two-rivers.txt", ROOT / "decks/shell/ebb.txt"]
    frame = {"text": [path.read_text(encoding="utf-8") for path in paths] * 2}
    frame["rules"] = ["versus/normal-shared", "shell", "chess", "shell"]
    frame["text"][2:] = ["1 Pawn", frame["text"][1]]
    table = decklaw.Game("versus").check_frame(frame, deck="text", format="rules")
    assert table["verdict"] == ["legal", "legal", "unreadable", "legal"]
    assert table["format"] == ["versus/normal-shared", "shell", None, "shell"]
    assert "chess" in table["first_finding"][2] and {"main", "shells"} <= set(table)


def test_decks_without_an_answer_are_named(shell: decklaw.Game, legal: str) -> None:
    decks = ["Main\n-1 Moss Sprite\n", legal]
    with pytest.warns(UserWarning, match="decks without an answer: row 0: "):
        odds = shell.odds_frame({"deck": decks}, "1+ [mana<=1]")
    assert odds["deck"] == [0, 1] and odds["fraction"][0] is None and odds["fraction"][1]


def test_a_wrong_table_is_refused(shell: decklaw.Game, legal: str) -> None:
    with pytest.raises(decklaw.QuestionError, match="no column `deck`; it has text"):
        shell.check_frame({"text": [legal]})
    with pytest.raises(TypeError, match="row 1: .*int"):
        shell.check_frame({"deck": [legal, 7]})
    with pytest.raises(decklaw.QuestionError):
        shell.odds_frame({"deck": [legal]}, "1+ [manna:1]")


def test_beyond_one_machine(tmp_path: pathlib.Path) -> None:
    compared(tmp_path, 3_000)
