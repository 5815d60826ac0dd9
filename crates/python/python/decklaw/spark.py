"""A function for `mapInPandas` of Apache Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ._decklaw import Game
from .tables import Row, table, to_pandas

if TYPE_CHECKING:
    import pandas

SPARK_SCHEMA = (
    "verdict string, format string, name string, player string, cards long, hash string, "
    "errors long, warnings long, notices long, codes string, message string"
)
"""The columns that the function of `map_in_pandas` adds, as Spark writes a schema."""


def map_in_pandas(
    format: str,
    *,
    column: str = "deck",
    keep: Iterable[str] = (),
    folder: str | None = None,
    threads: int = 1,
    **options: Any,
) -> Callable[[Iterable[pandas.DataFrame]], Iterator[pandas.DataFrame]]:
    """A function that judges the decks of a column, for Spark's `mapInPandas`.

    keep: columns that stay before those of `SPARK_SCHEMA`. folder: the game's, where it is not built
    in; it must be there on every worker. threads: for each task; Spark starts a task for each core.
    options: as `Game` has them. A row without a deck (null) has nothing but nulls.

    >>> import pandas
    >>> judge = map_in_pandas("shell", column="deck", keep=["id"])
    >>> frame = pandas.DataFrame({"id": [7], "deck": ["Main\\n9 Moss Sprite\\n"]})
    >>> [judged] = judge([frame])
    >>> judged["verdict"].tolist()
    ['illegal']

    With Spark: `df.mapInPandas(judge, schema="id long, " + decklaw.SPARK_SCHEMA)`.
    """
    kept = [keep] if isinstance(keep, str) else list(keep)
    added = list(Row.__annotations__)
    twice = sorted(set(kept) & set(added))
    if twice:
        raise ValueError(f"the columns {', '.join(twice)} would stand twice: rename them before")

    def judge(batches: Iterable[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
        import pandas

        # Made on the worker, once for each task: a game itself is not sent.
        if folder is None:
            game = Game(format, **options)
        else:
            game = Game.from_dir(folder, format=format, **options)
        for batch in batches:
            there = batch[column].notna().to_numpy()
            rows = to_pandas(table(game.check_many(batch[column][there], threads=threads)))
            rows.index = pandas.RangeIndex(len(batch))[there]
            judged = rows.reindex(range(len(batch)))
            judged.index = batch.index
            yield pandas.concat([batch[kept], judged], axis="columns")

    return judge
