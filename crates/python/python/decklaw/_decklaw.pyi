import datetime
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, final, overload

from typing_extensions import Unpack

from .options import BuildOptions, FixOptions, OddsOptions, RoomOptions, StatsOptions, SwapOptions, TuneOptions
from .types import Built, Deck, Fixed, Odds, Report, Room, Stats, Table, Tuned

__all__ = ["Game", "__version__", "main"]

__version__: str

_Frame = TypeVar("_Frame")

def main(arguments: Sequence[str]) -> int: ...

@final
class Game:
    def __new__(
        cls,
        format: str,
        *,
        folder: str | os.PathLike[str] | None = None,
        day: str | datetime.date | None = None,
        settings: Mapping[str, str | int] | None = None,
        cards: str | os.PathLike[str] | tuple[str, bytes] | None = None,
        banlist: bool = True,
    ) -> Game: ...
    @staticmethod
    def from_dir(
        folder: str | os.PathLike[str],
        *,
        format: str | None = None,
        day: str | datetime.date | None = None,
        settings: Mapping[str, str | int] | None = None,
        cards: str | os.PathLike[str] | tuple[str, bytes] | None = None,
        banlist: bool = True,
    ) -> Game: ...
    @staticmethod
    def formats() -> list[str]: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]: ...
    @property
    def format(self) -> str: ...
    def check(self, text: Deck) -> Report: ...
    def ask(self, question: dict[str, Any]) -> dict[str, Any]: ...
    def check_many(
        self, texts: Iterable[Deck], *, threads: int | None = None
    ) -> list[Report]: ...
    def cards(self, text: Deck) -> list[tuple[str, str, int]]: ...
    def stats(self, text: Deck, **options: Unpack[StatsOptions]) -> Stats: ...
    def odds(
        self, text: Deck, queries: str | Sequence[str], **options: Unpack[OddsOptions]
    ) -> Odds: ...
    def fix(self, text: Deck, **options: Unpack[FixOptions]) -> Fixed: ...
    def swap(self, text: Deck, wish: str, **options: Unpack[SwapOptions]) -> Fixed: ...
    def room(self, text: Deck, **options: Unpack[RoomOptions]) -> Room: ...
    def tune(
        self, text: Deck, queries: str | Sequence[str], **options: Unpack[TuneOptions]
    ) -> Tuned: ...
    def build(self, **options: Unpack[BuildOptions]) -> Built: ...
    @overload
    def check_frame(
        self,
        frame: Mapping[str, Sequence[object]],
        deck: str = "deck",
        format: str | None = None,
        *,
        threads: int | None = None,
    ) -> dict[str, list[Any]]: ...
    @overload
    def check_frame(
        self,
        frame: _Frame,
        deck: str = "deck",
        format: str | None = None,
        *,
        threads: int | None = None,
    ) -> _Frame: ...
    @overload
    def stats_frame(
        self,
        frame: Mapping[str, Sequence[object]],
        cards: bool = False,
        *,
        deck: str = "deck",
        format: str | None = None,
        threads: int | None = None,
    ) -> dict[str, list[Any]]: ...
    @overload
    def stats_frame(
        self,
        frame: _Frame,
        cards: bool = False,
        *,
        deck: str = "deck",
        format: str | None = None,
        threads: int | None = None,
    ) -> _Frame: ...
    @overload
    def odds_frame(
        self,
        frame: Mapping[str, Sequence[object]],
        queries: str | Sequence[str],
        *,
        deck: str = "deck",
        format: str | None = None,
        threads: int | None = None,
        **options: Unpack[OddsOptions],
    ) -> dict[str, list[Any]]: ...
    @overload
    def odds_frame(
        self,
        frame: _Frame,
        queries: str | Sequence[str],
        *,
        deck: str = "deck",
        format: str | None = None,
        threads: int | None = None,
        **options: Unpack[OddsOptions],
    ) -> _Frame: ...
    def deal(
        self,
        decks: Iterable[Deck],
        *,
        seed: str | None = None,
        players: Sequence[str] | None = None,
        options: Mapping[str, str | int] | None = None,
        settings: Mapping[str, int] | None = None,
    ) -> Table: ...
    def verify(self, file: str | bytes) -> Table: ...
    def decide(self, file: str | bytes, decision: dict[str, Any]) -> Table: ...
