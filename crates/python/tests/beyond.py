"""Judges many decks in one process, by `decklaw stream`, under Dask and under Spark, and compares all
answers. `python tests/beyond.py 1000000` takes a million; `DECKLAW` is the program.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import pandas

import decklaw

ROOT = pathlib.Path(__file__).resolve().parents[3]
COLUMNS = ["verdict", "size", "hash"]
WORKERS = 2


def decks(number: int) -> pandas.DataFrame:
    """Decks of one game with some lines changed, as people change them."""
    chance = random.Random(7)
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "decks/shell").glob("*.txt"))]

    def changed() -> str:
        lines = chance.choice(texts).splitlines()
        line = chance.randrange(len(lines))
        count, _, name = lines[line].partition(" ")
        lines[line] = f"{chance.randint(1, 12)} {name}" if count.isdigit() else lines[line]
        return "\n".join(lines)

    return pandas.DataFrame({"id": range(number), "deck": [changed() for _ in range(number)]})


def judged(game: decklaw.Game, table: pandas.DataFrame) -> pandas.DataFrame:
    """The decks of a table by their ids, judged by one thread."""
    verdicts: pandas.DataFrame = game.check_frame(table, threads=1)
    return table[["id"]].join(verdicts[COLUMNS])


def in_one_process(folder: pathlib.Path) -> pandas.DataFrame:
    return judged(decklaw.Game("shell"), pandas.read_parquet(folder))


def by_stream(folder: pathlib.Path) -> pandas.DataFrame | None:
    program = os.environ.get("DECKLAW")
    if program is None:
        print("stream: skipped, DECKLAW names no program")
        return None
    table = pandas.read_parquet(folder)
    lines = (
        json.dumps({"id": id, "format": "shell", "text": deck})
        for id, deck in zip(table["id"].tolist(), table["deck"].tolist())
    )
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given:
        given.write("\n".join(lines))
        given.seek(0)
        run = subprocess.run([program, "stream", "-q"], stdin=given, capture_output=True, encoding="utf-8")
    said = [json.loads(line) for line in run.stdout.splitlines()]
    rows = [
        (one["id"], one["verdict"], sum(one["cards"].values()) if one["hash"] else None, one["hash"])
        for one in said
    ]
    return pandas.DataFrame(rows, columns=["id", *COLUMNS])


def under_dask(folder: pathlib.Path) -> pandas.DataFrame:
    import cloudpickle
    import dask.dataframe
    from distributed import Client

    # Workers do not find this module.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])

    game = decklaw.Game("shell")
    with Client(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None):
        table = dask.dataframe.read_parquet(folder)
        answer: pandas.DataFrame = table.map_partitions(lambda part: judged(game, part)).compute()
    return answer


def has_spark() -> bool:
    """Whether Spark can run; where it cannot, a line says why."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    if importlib.util.find_spec("pyspark") is None:
        print("Spark: skipped, pyspark is not installed")
    elif shutil.which("java") is None:
        print("Spark: skipped, there is no Java")
    else:
        return True
    return False


def under_spark(folder: pathlib.Path) -> pandas.DataFrame | None:
    if not has_spark():
        return None
    from pyspark import cloudpickle
    from pyspark.sql import SparkSession

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    game = decklaw.Game("shell")

    def each(parts: Iterator[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
        return (judged(game, part) for part in parts)

    builder = SparkSession.builder.master(f"local[{WORKERS}]").config("spark.ui.enabled", "false")
    spark = builder.getOrCreate()
    try:
        table = spark.read.parquet(str(folder))
        answer = table.mapInPandas(each, "id long, verdict string, size long, hash string")
        return pandas.DataFrame([row.asDict() for row in answer.collect()])
    finally:
        spark.stop()


def compared(folder: pathlib.Path, number: int) -> None:
    """Asks in each way, and compares the answers."""
    table = decks(number)
    part = -(-number // 8)
    for first in range(0, number, part):
        table[first : first + part].to_parquet(folder / f"{first:09}.parquet", index=False)
    ways: list[Callable[[pathlib.Path], pandas.DataFrame | None]]
    ways = [in_one_process, by_stream, under_dask, under_spark]
    answers: dict[str, Any] = {}
    for way in ways:
        began = time.monotonic()
        answer = way(folder)
        if answer is not None:
            took = time.monotonic() - began
            print(f"{way.__name__}: {number} decks in {took:.1f} s, {took / number * 1e6:.1f} µs a deck", flush=True)
            rows = answer.sort_values("id").astype(object).where(answer.notna(), None)
            answers[way.__name__] = rows.values.tolist()
    first = answers.pop("in_one_process")
    assert len(first) == number and len({row[1] for row in first}) > 2
    for name, answer in answers.items():
        assert answer == first, f"{name} answers otherwise"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        compared(pathlib.Path(made), int(sys.argv[1]))
