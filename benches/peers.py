#!/usr/bin/env python3
"""decklaw next to programs and libraries that do a part of the same work, in one run.

    cargo build --release
    pip install ./crates/python icepool scipy highspy ortools
    python benches/peers.py target/release/decklaw

Prints a table in Markdown: the work, the peer, both times and their ratio, and the goal. A peer
that is not installed is a row that says so. Times are medians; of a folder the time of all
processors counts, since programs divide their work differently.
"""
import collections, contextlib, glob, gzip, http.client, importlib.metadata, itertools, json, math, os, random, re, shutil
import statistics, subprocess, sys, tempfile, time, urllib.parse

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/decklaw")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DECKS = int(os.environ.get("DECKS", 100_000))
os.environ["DECKLAW_CONFIG"] = "/nonexistent"
os.chdir(ROOT)


def version(package):
    return f"{package} {importlib.metadata.version(package)}"


def spent(words, stdin=None):
    """Wall time and processor time of a call in seconds; what it prints is thrown away."""
    with open(stdin or os.devnull, "rb") as given, open(os.devnull, "wb") as none:
        begin = time.perf_counter()
        child = subprocess.Popen(words, stdin=given, stdout=none, stderr=none)
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
        return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime


def median(words, times, which, stdin=None):
    return statistics.median(spent(words, stdin)[which] for _ in range(times))


def timed(call, times=7, rank=0.5):
    """The median seconds of a function's call, or those of another rank between 0 and 1."""
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return sorted(seconds)[int(rank * times)]


def shown(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def row(work, peer, own, other, goal="", met=None):
    ratio = f"{own / other:.2f}" if other else ""
    missed = "" if met is None or met else ", **not met**"
    print(f"| {work} | {peer} | {shown(own)} | {shown(other) if other else ''} | {ratio} | {goal}{missed} |", flush=True)


@contextlib.contextmanager
def quiet():
    """What a library prints on standard output does not get into the table."""
    sys.stdout.flush()
    kept, none = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(none, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(none)


def missing(work, peer, why):
    print(f"| {work} | {peer} | | | | not run: {why} |", flush=True)


def files():
    """One deck and a folder, next to ripgrep: it starts, opens files and looks at each line."""
    deck = [PROGRAM, "check", "decks/shell/ebb.txt", "-q"]
    ripgrep = shutil.which("rg")
    if not ripgrep:
        return missing("one deck; a folder", "ripgrep", "`rg` is not installed")
    said = subprocess.run([ripgrep, "--version"], capture_output=True, text=True).stdout
    peer = " ".join(said.split()[:2])
    own, other = median(deck, 201, 0), median([ripgrep, "--version"], 201, 0)
    row("`check` of one deck, start-up included", f"{peer} `--version`", own, other, "≤ 2", own <= 2 * other)
    samples = [open(path, encoding="utf-8").read() for path in sorted(glob.glob("decks/shell/*.txt"))]
    cards = os.path.join("formats", "shell", "cards.csv")
    with tempfile.TemporaryDirectory() as folder:
        for at in range(DECKS):
            inner = os.path.join(folder, "decks", str(at // 1000))
            os.makedirs(inner, exist_ok=True)
            with open(os.path.join(inner, f"{at}.txt"), "w", encoding="utf-8") as file:
                file.write(samples[at % len(samples)])
        own_pool = os.path.join(folder, "own.csv")
        shutil.copy(cards, own_pool)
        all_decks = os.path.join(folder, "decks")
        call = [PROGRAM, "check", all_decks, "--cards", f"shell={own_pool}", "-q", "-o", "ndjson"]
        spent(call)
        own, other = median(call, 3, 1), median([ripgrep, "-c", "^[0-9]", all_decks], 3, 1)
        row(f"`check` of {DECKS:,} files with an own pool, processor time", f"{peer} `-c`", own, other, "≤ 1.8", own <= 1.8 * other)
        lines = os.path.join(folder, "decks.ndjson")
        with open(lines, "w", encoding="utf-8") as file:
            for at in range(DECKS):
                file.write(json.dumps({"format": "shell", "text": samples[at % len(samples)]}) + "\n")
        own = median([PROGRAM, "stream"], 3, 1, lines)
        rate = DECKS / own
        row(f"`stream` of {DECKS:,} decks: {rate:,.0f} a second and core", "", own, None, "≥ 80,000", rate >= 80_000)


def hypergeometric(groups, size, hand, low):
    """The probability of at least `low[i]` of each group, by the sum over all counts with scipy."""
    from scipy.stats import multivariate_hypergeom
    ranges = [range(least, min(of, hand) + 1) for of, least in zip(groups, low)]
    draws = [list(counts) + [hand - sum(counts)] for counts in itertools.product(*ranges) if sum(counts) <= hand]
    return float(multivariate_hypergeom.pmf(draws, list(groups) + [size - sum(groups)], hand).sum())


def dealt(groups, size, hand, low):
    """The same with icepool, exactly."""
    import icepool

    class AtLeast(icepool.MultisetEvaluator):
        def initial_state(self, order, outcomes, *sizes):
            return True

        def next_state(self, state, order, outcome, count):
            return state and (outcome == 0 or count >= low[outcome - 1])

        def final_outcome(self, state, order, outcomes, *sizes):
            return state

    deck = icepool.Deck({at: copies for at, copies in enumerate([size - sum(groups), *groups])})
    return float(AtLeast().evaluate(deck.deal(hand)).probability(True))


QUESTIONS = [
    ("1 of 4, hand of 7 of 60", [4], [1]),
    ("2 groups, hand of 7 of 60", [4, 8], [1, 1]),
    ("4 groups, hand of 7 of 60", [4, 6, 8, 10], [1, 1, 1, 1]),
    ("6 groups, hand of 7 of 60", [4, 4, 4, 4, 8, 10], [1, 1, 1, 1, 1, 1]),
]


def odds():
    """Odds in process, next to libraries for Python."""
    try:
        import decklaw
    except ImportError:
        return missing("odds in process", "icepool, scipy", "the package `decklaw` is not installed")
    for work, groups, low in QUESTIONS:
        lines = [f"{copies} g{at}" for at, copies in enumerate(groups)] + [f"{60 - sum(groups)} other"]
        deck = "Format: any\n\nMain\n" + "\n".join(lines) + "\n"
        query = " and ".join(f'{least}+ "g{at}"' for at, least in enumerate(low))
        game = decklaw.Game("any")
        ask = lambda: game.odds(deck, query, hand=7)
        own_value = ask()["answers"][0]["probability"]
        own = timed(ask, 51)
        for name, other in (("icepool", dealt), ("scipy", hypergeometric)):
            try:
                value = other(groups, 60, 7, low)
            except ImportError:
                missing(f"odds: {work}", name, "not installed")
                continue
            assert math.isclose(value, own_value, rel_tol=1e-9), (work, name, value, own_value)
            theirs = timed(lambda: other(groups, 60, 7, low))
            row(f"odds, the deck read too: {work}", version(name), own, theirs, "the same number", own <= theirs)


def linear(path):
    """An instance in OPB: the objective and the rows, each a dictionary of coefficients, and a bound."""
    objective, rows = {}, []
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        if not line or line.startswith("*"):
            continue
        is_objective = line.startswith("min:")
        body = line.removeprefix("min:").rstrip("; ")
        bound, sign = 0, None
        match = re.search(r"(>=|=)\s*([+-]?\d+)$", body)
        if match:
            sign, bound, body = match[1], int(match[2]), body[: match.start()]
        terms = collections.Counter()
        for factor, name in re.findall(r"([+-]?\d+)\s+(~?[a-z]\w*)", body):
            factor = int(factor)
            if name.startswith("~"):
                bound -= factor
                factor, name = -factor, name[1:]
            terms[name] += factor
        if is_objective:
            objective = (dict(terms), -bound)
        else:
            rows.append((dict(terms), sign, bound))
    return objective, rows


def highs(objective, rows):
    import highspy

    model = highspy.Highs()
    model.silent()
    model.setOptionValue("mip_rel_gap", 0.0)
    names = sorted({name for terms, *_ in rows for name in terms} | set(objective[0]))
    variables = {name: model.addBinary(obj=objective[0].get(name, 0)) for name in names}
    for terms, sign, bound in rows:
        total = sum(factor * variables[name] for name, factor in terms.items())
        model.addConstr(total >= bound if sign == ">=" else total == bound)
    model.run()
    return round(model.getInfo().objective_function_value) + objective[1]


def cp_sat(objective, rows):
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    names = sorted({name for terms, *_ in rows for name in terms} | set(objective[0]))
    variables = {name: model.new_bool_var(name) for name in names}
    for terms, sign, bound in rows:
        total = sum(factor * variables[name] for name, factor in terms.items())
        model.add(total >= bound if sign == ">=" else total == bound)
    model.minimize(sum(factor * variables[name] for name, factor in objective[0].items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value) + objective[1]


def repairs():
    """The smallest repair of each shipped deck that is not legal, next to two solvers on the same program."""
    checked = subprocess.run([PROGRAM, "check", "decks", "--only", "illegal,incomplete", "-o", "json"], capture_output=True, text=True)
    broken = [deck["deck"] for deck in json.loads(checked.stdout)["decks"] if deck["format"]]
    own, others, verified, proofs = [], {"highspy": [], "ortools": []}, [], 0
    for path in broken:
        with tempfile.TemporaryDirectory() as folder:
            asked = subprocess.run([PROGRAM, "fix", path, "--proof", os.path.join(folder, "proof"), "-o", "json"], capture_output=True, text=True)
            if asked.returncode != 0:
                continue
            distance = json.loads(asked.stdout)["distance"]
            own.append(median([PROGRAM, "fix", path, "-o", "json"], 5, 0))
            for claim in sorted(glob.glob(os.path.join(folder, "proof", "*.opb"))):
                proof = claim.replace("instance", "proof").replace(".opb", ".pbp")
                proofs += 1
                if shutil.which("veripb"):
                    seconds, _ = spent(["veripb", claim, proof])
                    said = subprocess.run(["veripb", claim, proof], capture_output=True, text=True)
                    assert "VERIFIED" in said.stdout, (path, said.stdout, said.stderr)
                    verified.append(seconds)
            objective, rows = linear(os.path.join(folder, "proof", "instance.opb"))
            for name, solve in (("highspy", highs), ("ortools", cp_sat)):
                if not objective:
                    continue
                try:
                    begin = time.perf_counter()
                    with quiet():
                        found = solve(objective, rows)
                    others[name].append(time.perf_counter() - begin)
                except ImportError:
                    continue
                assert found == distance, (path, name, found, distance)
    for name, label in (("highspy", "HiGHS"), ("ortools", "CP-SAT")):
        work = f"smallest repair, {len(own)} shipped decks, start-up included"
        if others[name]:
            row(work, f"{label} ({version(name)}), in process", sum(own), sum(others[name]), "the same distances, not slower", sum(own) <= sum(others[name]))
        else:
            missing(work, label, "not installed")
    if verified:
        row(f"{proofs} proofs of these repairs, all verified", "VeriPB", sum(own), sum(verified), "all verified")
    else:
        missing("proofs of these repairs", "VeriPB", "`veripb` is not installed")


@contextlib.contextmanager
def server():
    """A server of an empty folder: a function that sends a request and gives the answer and its body."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--data", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            port = None
            while port is None:
                line = process.stdout.readline()
                assert line, "the server ended"
                found = re.search(r"http://[\w.]+:(\d+)", line)
                port = found and int(found[1])
            connection = http.client.HTTPConnection("127.0.0.1", port)

            def send(method, path, body=None, kind="application/json", status=(200,)):
                connection.request(method, path, body, {"Content-Type": kind, "Origin": f"http://127.0.0.1:{port}"})
                answer = connection.getresponse()
                content = answer.read()
                if answer.status == 429:
                    time.sleep(0.2)
                    return send(method, path, body, kind, status)
                assert answer.status in status, (path, answer.status, content)
                return answer, content

            yield send
        finally:
            process.terminate()
            process.wait()


def answers():
    """The server's answer to a click."""
    question = json.dumps({"ask": "check", "format": "shell", "deck": open("decks/shell/ebb.txt", encoding="utf-8").read()})
    with server() as send:
        late = timed(lambda: send("POST", "/api/ask", question), 500, 0.95)
    row("a click's verdict from the server, 95 of 100", "a frame of a screen", late, 1 / 60, "≤ 16 ms", late <= 0.016)


def moves():
    """A move at a served table: the first of a game, and those after thousands."""
    form = "application/x-www-form-urlencoded"
    with server() as send:
        fields = {"random": "ab" * 32, "do": "open", "format": "vastrix", "option-players": "2"}
        table = send("POST", "/play", urllib.parse.urlencode(fields), form, (303,))[0].getheader("location")
        page = send("GET", table)[1].decode()
        seats = list(dict.fromkeys(re.findall(r"/t/[a-z0-9]+/[a-z0-9]+", page)))
        for seat in seats:
            if seat != table:  # Who opened it has a seat, and a spectator may take none.
                send("POST", seat, urllib.parse.urlencode({"random": "cd" * 32}), form, (303, 403))
        view = lambda seat: json.loads(send("GET", f"/api{seat}/view")[1])
        act = lambda seat, rev, do: json.loads(send("POST", f"/api{seat}/do", json.dumps({"rev": rev, "do": do}))[1])
        while any((seen := view(seat)).get("phase") != "game" for seat in seats):
            for seat in seats:
                seen = view(seat)
                if seen.get("question"):
                    act(seat, seen["rev"], {"answer": {"option": 0}})
        seat = next(seat for seat in seats if view(seat)["for"] == "A")
        rev = view(seat)["rev"]

        def roll():
            nonlocal rev
            rev = act(seat, rev, {"move": {"by": "A", "do": "roll", "sides": 6}})["rev"]

        first = timed(roll, 101)
        for _ in range(4700):
            roll()
        late = timed(roll, 101)
    row("a move at a table after 4,800", "its first 100 moves", late, first, "≤ 3 times", late <= 3 * first)


def page():
    """The weight of a published page."""
    with tempfile.TemporaryDirectory() as folder:
        call = [PROGRAM, "publish", "shell", os.path.join(folder, "site")]
        call += ["--engine", os.environ["DECKLAW_ENGINE"]] if "DECKLAW_ENGINE" in os.environ else []
        made = subprocess.run(call, capture_output=True, text=True)
        if made.returncode != 0:
            return missing("weight of a published page", "", made.stderr.strip().splitlines()[0])
        weight = 0
        for path, _, names in os.walk(os.path.join(folder, "site")):
            for name in names:
                weight += len(gzip.compress(open(os.path.join(path, name), "rb").read(), 9))
        print(f"| weight of a published page | | {weight / 1e6:.2f} MB compressed | | | ≤ 1.8 MB{'' if weight <= 1_800_000 else ', **not met**'} |")


print(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} processors, {subprocess.run([PROGRAM, '--version'], capture_output=True, text=True).stdout.strip()}\n")
print("| work | peer | decklaw | peer's time | ratio | goal |\n|---|---|--:|--:|--:|---|")
for part in (files, odds, repairs, answers, moves, page):
    part()
