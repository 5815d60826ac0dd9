"""What the documents say is run: docstrings, docs/python.md, the notebook."""

from __future__ import annotations

import doctest
import inspect
import os
import re

import nbclient
import nbformat
import pytest
from conftest import ROOT

import decklaw
from decklaw import errors, spark, tables, types


@pytest.mark.parametrize("module", [decklaw, errors, spark, tables, types])
def test_examples_in_docstrings_run(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_everything_public_is_documented() -> None:
    for name in decklaw.__all__:
        if name != "SPARK_SCHEMA":
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
    guide = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) > 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


def test_the_notebook_runs_and_shows_what_it_shows() -> None:
    notebook = nbformat.read(ROOT / "examples/notebook.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    shown = [shows(cell) for cell in notebook.cells]
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    if os.environ.get("DECKLAW_UPDATE"):
        nbformat.write(notebook, ROOT / "examples/notebook.ipynb")  # type: ignore[no-untyped-call]
        return
    assert [shows(cell) for cell in notebook.cells] == shown
    assert sum(bool(one) for one in shown) > 3


def shows(cell: nbformat.NotebookNode) -> list[str]:
    """The text that a cell shows. Frames as text: their HTML differs by version."""
    outputs = cell.get("outputs", [])
    return [one.get("text") or one["data"]["text/plain"] for one in outputs]
