"""Reads the tables and the workbook of one run with pandas and openpyxl, and recomputes the
totals from the rule by which the rows were made. Usage: spreadsheets.py PATH-OF-DECKLAW"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

try:
    import openpyxl
    import pandas
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

HOSTILE = "=cmd|' /C calc'!A"


def row(n):
    """Row n: who hands in what, its verdict and how many cards it has."""
    player = f"{HOSTILE}{n}" if n % 50 == 1 else f"Зоя {n}" if n % 50 == 2 else f"Player {n}"
    if n % 7 == 0:
        return player, "", "unreadable", 0
    if n % 11 == 0:
        return player, "Format: any\n\n0 Nothing\n", "unreadable", 0
    if n % 13 == 0:
        return player, "Format: vainqueur\n\n2 No such card\n", "illegal", 2
    copies = n % 5 + 1
    return player, f"Format: any\n\n{copies} Card {n}\n", "legal", copies


def locked(decklaw, folder):
    """A workbook judged under a lock names list, digest, day and seal."""
    listed = "vainqueur-sample-2026-07"
    lock = ["banlist", "lock", "vainqueur", "--banlist", listed, "--as-of", "2026-08-01"]
    said = subprocess.run([decklaw] + lock, cwd=folder, capture_output=True, text=True, check=True).stdout
    (folder / "deck.txt").write_text("Format: vainqueur\n\n1 Chapel Lynx\n")
    check = ["check", "deck.txt", "--locked", "--banlist", listed, "-o", "xlsx=locked.xlsx"]
    subprocess.run([decklaw] + check, cwd=folder, capture_output=True)
    sheet = openpyxl.load_workbook(folder / "locked.xlsx")["inputs"]
    inputs = {name: (value, digest) for name, value, digest in sheet.iter_rows(values_only=True)}
    day, seal = inputs["lock"]
    assert (day, said.split()[-1]) == ("2026-08-01", seal), (inputs, said)
    name, digest = inputs["vainqueur banlist"]
    assert name == listed and digest in said, (inputs, said)


def main():
    decklaw = str(pathlib.Path(sys.argv[1]).resolve())
    rows = [row(n) for n in range(300)]
    verdicts = Counter(verdict for _, _, verdict, _ in rows)
    # By hand: 43 multiples of 7 and 28 of 11, 4 of both: 67. 24 of 13, less 4 that 7 divides
    # and 3 that 11 divides; 0 was taken off twice: 18.
    assert verdicts == {"unreadable": 67, "illegal": 18, "legal": 215}, verdicts
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with open(folder / "form.csv", "w", newline="", encoding="utf-8-sig") as file:
            writer = csv.writer(file, delimiter=";")
            writer.writerow(["Player Name", "Decklist"])
            writer.writerows((player, deck) for player, deck, _, _ in rows)
        call = [decklaw, "check", "--submissions", "form.csv", "-o", "xlsx=a.xlsx", "--replace"]
        outputs = [["-o", "csv=findings.csv"], ["--summary", "-o", "csv=decks.csv", "-o", "csv-excel=excel.csv"]]
        for more in outputs:
            run = subprocess.run(call + more, cwd=folder, capture_output=True)
            assert run.returncode == 1, run.stderr.decode()
        decks = pandas.read_csv(folder / "decks.csv")
        findings = pandas.read_csv(folder / "findings.csv")
        excel = pandas.read_csv(folder / "excel.csv", encoding="utf-8-sig")
        book = openpyxl.load_workbook(folder / "a.xlsx")
        assert book.sheetnames == ["verdicts", "findings", "inputs"], book.sheetnames
        sheets = {}
        for name in book.sheetnames:
            first, *others = book[name].iter_rows()
            assert all(cell.data_type != "f" for line in others for cell in line), name
            columns = [cell.value for cell in first]
            values = [[cell.value for cell in line] for line in others]
            sheets[name] = pandas.DataFrame(values, columns=columns)
        for table in (decks, excel, sheets["verdicts"]):
            assert Counter(table["verdict"]) == verdicts
            assert table["cards"].sum() == sum(cards for *_, cards in rows)
            assert pandas.api.types.is_numeric_dtype(table["cards"])
            # As many errors by deck as there are findings of that severity.
            assert table["errors"].sum() == (findings["severity"] == "error").sum()
        locked(decklaw, folder)
        players = [player for player, *_ in rows]
        assert list(decks["player"]) == players
        assert list(sheets["verdicts"]["player"]) == players
        harmless = ["'" + name if name.startswith("=") else name for name in players]
        assert list(excel["player"]) == harmless
        other = sheets["findings"]
        assert len(other) == len(findings)
        for column in findings.columns:
            for one, two in zip(findings[column], other[column]):
                empty = lambda value: value is None or (isinstance(value, float) and math.isnan(value))
                assert one == two or (empty(one) and empty(two)), (column, one, two)
    print("300 submissions: pandas and openpyxl find the totals of the rule")


main()
