"""decklaw judges decks of card games by each game's own rules.

>>> import decklaw
>>> game = decklaw.Game("shell")
>>> game.check("Main\\n9 Moss Sprite\\n")["verdict"]
'illegal'

`Game` answers in dicts, whose keys `decklaw.types` lists; what it raises is in `decklaw.errors`.
`table` and `findings` make flat rows of reports, `to_pandas` and `to_polars` frames of rows, and
`map_in_pandas` a function for Spark.
"""

from ._decklaw import Game
from .errors import (
    Error,
    GameError,
    IllegalDeckError,
    ImpossibleError,
    MatchError,
    QuestionError,
    UnreadableError,
    WorkLimitError,
)
from .spark import SPARK_SCHEMA, map_in_pandas
from .tables import findings, table, to_pandas, to_polars

__all__ = [
    "SPARK_SCHEMA",
    "Error",
    "Game",
    "GameError",
    "IllegalDeckError",
    "ImpossibleError",
    "MatchError",
    "QuestionError",
    "UnreadableError",
    "WorkLimitError",
    "findings",
    "map_in_pandas",
    "table",
    "to_pandas",
    "to_polars",
]
