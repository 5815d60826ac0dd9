"""decklaw judges decks of card games by each game's own rules.

>>> import decklaw
>>> game = decklaw.Game("shell")
>>> game.check("Main\\n9 Moss Sprite\\n")["verdict"]
'illegal'

`Game` answers in dicts, whose keys `decklaw.types` lists; what it raises is in `decklaw.errors`.
`check_frame`, `stats_frame` and `odds_frame` take a table with a column of decks, and give one.
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
]
