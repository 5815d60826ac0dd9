"""Runs the recipes of docs/streams.md for Apache Spark and GNU parallel as they stand there, and compares
each verdict with the one that `check` gives of the same deck in a file of its own.
Usage: stream.py PATH-OF-DECKLAW. What is missing on the machine is said, and passed over."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIES = 60


def recipe(language):
    """The first block of a language in the manual of the stream."""
    text = (ROOT / "docs" / "streams.md").read_text(encoding="utf-8")
    return re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)[1]


def sample_decks():
    """The sample decks that can be written as JSON, each many times under other names."""
    decks = []
    for file in sorted((ROOT / "decks").glob("*/*.txt")):
        call = ["decklaw", "convert", str(file), "--to-format", "json"]
        run = subprocess.run(call, capture_output=True)
        if run.returncode == 0:
            decks.append(json.loads(run.stdout))
    assert len(decks) > 20, len(decks)
    return [dict(deck, name=f"Ñ° {copy} {at}") for copy in range(COPIES) for at, deck in enumerate(decks)]


def verdicts(lines):
    """Verdicts but for the names that the decks go by."""
    found = [json.loads(line) for line in lines]
    for verdict in found:
        del verdict["deck"]
    return found


def main():
    os.environ["PATH"] = f"{pathlib.Path(sys.argv[1]).resolve().parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["DECKLAW_CONFIG"] = folder
        decks = sample_decks()
        pathlib.Path("files").mkdir()
        with open("decks.ndjson", "w", encoding="utf-8") as stream:
            for at, deck in enumerate(decks):
                line = json.dumps(deck, ensure_ascii=False)
                stream.write(line + "\n")
                pathlib.Path(f"files/{at:06}.json").write_text(line, encoding="utf-8")
        call = ["decklaw", "check", "files", "--as-of", "2026-03-01", "-o", "ndjson"]
        run = subprocess.run(call, capture_output=True, text=True)
        expected = verdicts(run.stdout.splitlines())
        kinds = {verdict["verdict"] for verdict in expected}
        assert len(expected) == len(decks) and {"legal", "illegal"} <= kinds, kinds
        with_parallel(expected)
        with_spark(decks, expected)


def with_parallel(expected):
    if not shutil.which("parallel"):
        print("skipped: GNU parallel is not here")
        return
    subprocess.run(["sh", "-ec", recipe("sh")], check=True)
    with open("verdicts.ndjson", encoding="utf-8") as file:
        assert verdicts(file) == expected
    print(f"GNU parallel: {len(expected)} verdicts as check gives them")


def with_spark(decks, expected):
    if not shutil.which("java"):
        print("skipped: Java is not here")
        return
    try:
        import pyspark
    except ImportError as missing:
        print(f"skipped: {missing}")
        return
    names = {}
    exec(compile(recipe("python"), "docs/streams.md", "exec"), names)
    parts = sorted(pathlib.Path("verdicts").glob("part-*"))
    assert len(parts) > 1, parts
    lines = [line for part in parts for line in part.read_text(encoding="utf-8").splitlines()]
    assert verdicts(lines) == expected
    # One answer a line: decks and verdicts can be zipped.
    pairs = names["decks"].zip(names["verdicts"]).collect()
    assert len(pairs) == len(decks)
    assert all(json.loads(deck)["name"] == json.loads(verdict)["name"] for deck, verdict in pairs)
    names["spark"].stop()
    print(f"Spark {pyspark.__version__}: {len(expected)} verdicts as check gives them, in {len(parts)} parts")


main()
