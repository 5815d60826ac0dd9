"""What the documents say is run: docstrings and docs/library.md."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest
from beyond import has_spark
from conftest import ROOT

import decklaw
from decklaw import errors, types


@pytest.mark.parametrize("module", [decklaw, errors, types])
def test_examples_in_docstrings_run(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_everything_public_is_documented() -> None:
    for name in decklaw.__all__:
        assert inspect.getdoc(getattr(decklaw, name)), name
    for name, value in vars(decklaw.Game).items():
        if not name.startswith("_"):
            assert inspect.getdoc(value), name
    runner = doctest.DocTestRunner()
    for found in doctest.DocTestFinder().find(decklaw.Game, globs={}):
        runner.run(found)
    assert runner.failures == 0 and runner.tries > 0


def test_the_guide_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    guide = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) > 3
    names: dict[str, object] = {}
    for block in blocks:
        if "pyspark" in block and not has_spark():
            continue
        exec(compile(block, "docs/library.md", "exec"), names)
