import datetime
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, final

from .types import Built, Deck, Fixed, Odds, Report, Room, Stats, Table, Tuned

__all__ = ["Game", "__version__"]

__version__: str

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
    def stats(self, text: Deck) -> Stats: ...
    def odds(
        self,
        text: Deck,
        query: str,
        *,
        hand: int | None = None,
        turns: int | None = None,
        draws: int | None = None,
        keep_hand: str | None = None,
        given: str | None = None,
        section: str | None = None,
        mulligan: bool = True,
    ) -> Odds: ...
    def fix(
        self,
        text: Deck,
        *,
        keep: str | Sequence[str] | None = None,
        only: str | None = None,
        effort: float | None = None,
    ) -> Fixed: ...
    def swap(self, text: Deck, wish: str) -> Fixed: ...
    def room(self, text: Deck) -> Room: ...
    def tune(
        self,
        text: Deck,
        query: str,
        *,
        changes: int | None = None,
        keep: str | Sequence[str] | None = None,
        only: str | None = None,
        turn: int | None = None,
        hand: int | None = None,
        effort: float | None = None,
    ) -> Tuned: ...
    def build(
        self,
        *,
        wishes: str | Sequence[str] | None = None,
        prefer: str | Sequence[str] | None = None,
        seed: str | None = None,
        effort: float | None = None,
    ) -> Built: ...
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
