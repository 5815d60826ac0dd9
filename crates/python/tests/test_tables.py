"""Rows, frames, and Spark's function with the frames that Spark would give."""

from __future__ import annotations

from typing import Any, get_type_hints

import pandas
import polars
import pytest

import decklaw
from decklaw import tables

TEXTS = ["Main\n9 Moss Sprite\n", "Main\ntwo Rain Caller\n", ""]


def test_a_deck_is_a_row(shell: decklaw.Game, legal: str) -> None:
    reports = shell.check_many([legal, *TEXTS])
    rows = decklaw.table(reports)
    assert [row["verdict"] for row in rows] == [report["verdict"] for report in reports]
    assert [row["cards"] for row in rows] == [sum(report["cards"].values()) for report in reports]
    assert rows[0]["message"] is None and rows[0]["codes"] == "" and rows[0]["errors"] == 0
    assert rows[1]["message"] == reports[1]["findings"][0]["message"]
    each = decklaw.findings(reports)
    assert len(each) == sum(len(report["findings"]) for report in reports)
    assert each[0]["deck"] == 1
    # What is in a row is what its kind says.
    assert all(list(row) == list(get_type_hints(tables.Row)) for row in rows)
    assert all(list(row) == list(get_type_hints(tables.FindingRow)) for row in each)


@pytest.mark.parametrize("texts", [TEXTS, []], ids=["some", "none"])
def test_frames_have_the_same_columns_whatever_is_in_them(
    shell: decklaw.Game, texts: list[str]
) -> None:
    rows = decklaw.table(shell.check_many(texts))
    one, other = decklaw.to_pandas(rows), decklaw.to_polars(rows)
    assert list(one.columns) == list(other.columns) == list(tables.Row.__annotations__)
    assert len(one) == len(other) == len(texts)
    assert str(one["cards"].dtype) == "Int64" and str(one["hash"].dtype) == "string"
    assert other["cards"].dtype == polars.Int64 and other["hash"].dtype == polars.String
    assert [None if value is pandas.NA else value for value in one["hash"]] == other["hash"].to_list()


def test_findings_are_a_frame(shell: decklaw.Game) -> None:
    rows = decklaw.findings(shell.check_many(TEXTS))
    one, other = decklaw.to_pandas(rows), decklaw.to_polars(rows)
    assert list(one.columns) == list(other.columns) and len(one) == len(other) == len(rows)
    assert other["cards"].dtype == polars.String and other["limit"].dtype == polars.Int64


def test_spark_gets_a_row_for_each_row(shell: decklaw.Game) -> None:
    frames = [
        pandas.DataFrame({"id": [1, 2], "list": [TEXTS[0], None]}, index=[5, 5]),
        pandas.DataFrame({"id": [3], "list": [TEXTS[1]]}),
        pandas.DataFrame({"id": [4], "list": [float("nan")]}),
        pandas.DataFrame({"id": pandas.Series([], dtype="int64"), "list": []}),
    ]
    judge = decklaw.map_in_pandas("shell", column="list", keep=["id"])
    judged = list(judge(iter(frames)))
    assert [list(frame["id"]) for frame in judged] == [[1, 2], [3], [4], []]
    assert judged[0]["verdict"].tolist() == ["illegal", pandas.NA]
    assert judged[0]["errors"].tolist()[1] is pandas.NA
    assert judged[1]["verdict"].tolist() == ["unreadable"]
    columns = ["id"] + [part.split()[0] for part in decklaw.SPARK_SCHEMA.split(", ")]
    kinds = {"string": "string", "long": "Int64"}
    for frame in judged:
        assert list(frame.columns) == columns
        for part in decklaw.SPARK_SCHEMA.split(", "):
            name, kind = part.split()
            assert str(frame[name].dtype) == kinds[kind]


def test_spark_takes_the_options_of_a_game() -> None:
    settings: dict[str, Any] = {"min": 40, "max": 60, "copies": 3}
    judge = decklaw.map_in_pandas("vainqueur", settings=settings, banlist=False)
    [frame] = judge([pandas.DataFrame({"deck": ["Main\n1 Nobody\n"]})])
    assert frame["format"].tolist() == ["vainqueur"]
    with pytest.raises(ValueError, match="hash"):
        decklaw.map_in_pandas("shell", keep=["hash", "id"])
    with pytest.raises(decklaw.GameError):
        list(decklaw.map_in_pandas("no-such-game")([pandas.DataFrame({"deck": ["a"]})]))
    with pytest.raises(KeyError):
        list(decklaw.map_in_pandas("shell")([pandas.DataFrame({"text": ["a"]})]))
