"""What tests share: the sample decks of the repository, and the program, where it is built."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

import pytest

import decklaw

ROOT = pathlib.Path(__file__).resolve().parents[3]
DECKS = sorted((ROOT / "decks").glob("*/*.txt"))


def path_of_program() -> str:
    """The path of the program, `DECKLAW`; without it such tests are skipped, where CI is not `true`."""
    path = os.environ.get("DECKLAW")
    if path is None:
        assert os.environ.get("CI") != "true", "DECKLAW names no program"
        pytest.skip("DECKLAW names no program")
    return path


def program(*call: object) -> Any:
    """What the program says as JSON."""
    run = subprocess.run(
        [path_of_program(), *map(str, call), "-o", "json"],
        cwd=ROOT,
        env={**os.environ, "DECKLAW_CONFIG": "no-configuration"},
        capture_output=True,
        encoding="utf-8",
    )
    return json.loads(run.stdout) if run.stdout else None


@pytest.fixture(scope="session")
def shell() -> decklaw.Game:
    return decklaw.Game("shell")


@pytest.fixture(scope="session")
def legal() -> str:
    return (ROOT / "decks/shell/ebb.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def illegal() -> str:
    return (ROOT / "decks/shell/too-many-copies.txt").read_text(encoding="utf-8")
