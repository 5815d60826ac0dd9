"""The program: `decklaw`, or `python -m decklaw`."""

from __future__ import annotations

import signal
import sys

from . import _decklaw


def main() -> int:
    """Runs the program with the words of the call, and returns its exit status."""
    # Ctrl-C ends the program as it does without Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _decklaw.main(["decklaw", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
