"""What is raised. Each says in a sentence, for the person who asked, why there is no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import Report


class Error(Exception):
    """There is no answer."""


class GameError(Error):
    """There is no such game or format, or its files, settings or cards are wrong."""


class UnreadableError(Error):
    """The text is no deck of the game: `report` says at which places, and why."""

    report: Report

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message, report)
        self.report = report

    def __str__(self) -> str:
        return str(self.args[0])


class IllegalDeckError(Error):
    """A deck that is not legal is not dealt: `index` is its place in the call, `report` says why."""

    index: int
    report: Report

    def __init__(self, index: int, report: Report) -> None:
        super().__init__(index, report)
        self.index = index
        self.report = report

    def __str__(self) -> str:
        wrong = [found["message"] for found in self.report["findings"] if found["severity"] == "error"]
        said = f"deck {self.index} is {self.report['verdict']}, and only legal decks are dealt"
        return f"{said}: {wrong[0]}" if wrong else said


class QuestionError(Error, ValueError):
    """A query, a wish or a number that cannot be asked.

    `span` is where the query is wrong: the first byte, and the first after it, of its UTF-8.
    """

    span: tuple[int, int] | None

    def __init__(self, message: str, span: tuple[int, int] | None = None) -> None:
        super().__init__(message, span)
        self.span = span

    def __str__(self) -> str:
        return str(self.args[0])


class ImpossibleError(Error):
    """Nothing satisfies what was asked: `reasons` are the rules and wishes that cannot hold together."""

    reasons: list[str]

    def __init__(self, message: str, reasons: list[str]) -> None:
        super().__init__(message, reasons)
        self.reasons = reasons

    def __str__(self) -> str:
        return str(self.args[0])


class WorkLimitError(Error):
    """The work limit was reached first: whether there is anything is not known."""


class MatchError(Error):
    """A match that cannot be dealt or read."""
