"""Reads the files of an organiser's evening over 300 players with pandas, openpyxl and, where it
is there, LibreOffice, and holds them against the rule by which the form was made.
Usage: evening.py PATH-OF-DECKLAW"""

import csv
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

try:
    import openpyxl
    import pandas
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

PLAYERS = 300
LATE = {40, 41}
NAMESAKES = {60, 61}
HOSTILE = "=HYPERLINK(\"https://example.org\";\"prize\")"


def name(n):
    return "Kim Lee" if n in NAMESAKES else f"Зоя {n}" if n == 70 else f"Player {n}"


def city(n):
    return HOSTILE if n % 50 == 7 else f"City {n % 9}; north\tside"


def copies(n):
    return n % 5 + 1


def form(file):
    writer = csv.writer(file)
    writer.writerow(["Timestamp", "Name", "Email", "City", "Decklist"])
    rows = [n for n in range(PLAYERS) if n != 41] + sorted(LATE)
    seen = set()
    for n in rows:
        late = n in seen or n == 41
        seen.add(n)
        day = "2026-03-02" if late else "2026-03-01"
        deck = f"Format: any\n\n{copies(n) + late} Card {n}\n"
        writer.writerow([f"{day} 12:{n % 60:02}", name(n), f"p{n}@example.org", city(n), deck])


def sheet(book, title):
    first, *others = openpyxl.load_workbook(book)[title].iter_rows()
    assert all(cell.data_type != "f" for line in others for cell in line), title
    columns = [cell.value for cell in first]
    return pandas.DataFrame([[cell.value for cell in line] for line in others], columns=columns)


def same(one, two, columns):
    assert len(one) == len(two), (len(one), len(two))
    for column in columns:
        left = one[column].astype(object).fillna("").astype(str).str.removesuffix(".0")
        right = two[column].astype(object).fillna("").astype(str).str.removesuffix(".0")
        wrong = [(a, b) for a, b in zip(left, right) if a != b]
        assert not wrong, (column, wrong[:3])


def office_run(call, folder):
    """Runs LibreOffice, and ends it with all that it started if it does not end by itself."""
    log = open(folder / "office.log", "wb")
    office = subprocess.Popen(call, cwd=folder, stdout=log, stderr=log, start_new_session=True)
    try:
        return office.wait(timeout=200)
    finally:
        try:
            os.killpg(office.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        log.close()


def main():
    decklaw = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def run(*arguments, status=0):
            run = subprocess.run([decklaw, *arguments], cwd=folder, capture_output=True)
            assert run.returncode == status, (arguments, run.stderr.decode())

        with open(folder / "form.csv", "w", newline="", encoding="utf-8") as file:
            form(file)
        run("event", "new", "cup", "--deadline", "2026-03-01", "--zone", "UTC")
        run("event", "import", "cup", "form.csv", "--yes")
        # The second of two players of one name is asked about.
        run("event", "decide", "cup", "all", "yes")
        files = ["-o", "csv=decks.csv", "-o", "csv-excel=excel.csv", "-o", "xlsx=decks.xlsx"]
        run("event", "export", "cup", *files)
        decks = pandas.read_csv(folder / "decks.csv")
        assert len(decks) == PLAYERS
        counting = decks[decks["status"] == "counts"]
        # One of the late players had handed in before, and that deck counts.
        assert list(decks[decks["status"] == "late"]["player"]) == [name(41)]
        assert len(counting) == PLAYERS - 1 and decks["address"].nunique() == PLAYERS
        assert (decks["player"] == "Kim Lee").sum() == len(NAMESAKES)
        for _, deck in decks.iterrows():
            n = int(deck["address"][1:].split("@")[0])
            late = deck["late"] == "yes"
            assert (deck["player"], deck["City"]) == (name(n), city(n)), deck
            assert deck["cards"] == copies(n) + late, deck
        book = sheet(folder / "decks.xlsx", "counting")
        same(counting, book, decks.columns.drop("not built in"))
        assert pandas.api.types.is_numeric_dtype(book["cards"])
        run("event", "stats", "cup", "-o", "csv=stats.csv")
        stats = pandas.read_csv(folder / "stats.csv")
        assert stats["copies"].sum() == counting["cards"].sum()
        run("event", "export", "cup", "-o", "csv=again.csv", "--decks", "registered")
        assert len(list((folder / "registered").iterdir())) == PLAYERS - 1
        office = shutil.which("soffice")
        if office:
            home = f"-env:UserInstallation=file://{folder}/office"
            filters = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false"
            for source in ("decks.xlsx", "excel.csv"):
                call = [office, home, "--headless", "--convert-to", filters, "--outdir", "seen", source]
                ended = office_run(call, folder)
                assert ended == 0, (source, ended)
                seen = pandas.read_csv(folder / "seen" / (source.split(".")[0] + ".csv"))
                # A formula would show its value in the place of its text.
                cities = [text.removeprefix("'") for text in seen["City"]]
                tabs = lambda text: text.replace("\t", " ")
                wanted = decks if source.endswith("csv") else counting
                assert list(map(tabs, cities)) == list(map(tabs, wanted["City"])), source
                wanted = decks if source.endswith("csv") else counting
                assert list(seen["id"]) == list(wanted["id"]), source
                assert list(seen["cards"]) == list(wanted["cards"]), source
    seen = "pandas, openpyxl and LibreOffice" if office else "pandas and openpyxl"
    print(f"an evening of 300 players: {seen} find what the form says")


main()
