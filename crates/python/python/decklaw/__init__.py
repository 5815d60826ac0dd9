"""decklaw judges decks of card games by each game's own rules.

>>> import decklaw
>>> game = decklaw.Game("shell")
>>> game.check("Main\\n9 Moss Sprite\\n")["verdict"]
'illegal'

`Game` answers in dicts, whose keys `decklaw.types` lists; what it raises is in `decklaw.errors`.
`table` puts reports into rows, for pandas, polars or CSV.
"""

from ._decklaw import Game, __version__
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
from .tables import table

__all__ = [
    "Error",
    "Game",
    "GameError",
    "IllegalDeckError",
    "ImpossibleError",
    "MatchError",
    "QuestionError",
    "UnreadableError",
    "WorkLimitError",
    "__version__",
    "table",
]
