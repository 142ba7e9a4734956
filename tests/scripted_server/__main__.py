"""`python -m tests.scripted_server --turns FILE.json`: prints its base URL, and serves until it is ended.

The file is a list of turns: `{"text": "…"}`, `{"calls": [["name", {…}], …]}`, `{"failed": "…"}`, or
`{"status": 429, "message": "…", "headers": {…}}`; `"pause": 0.02` slows the deltas of a text.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import threading
from pathlib import Path
from typing import Any

from .server import ScriptedServer
from .turns import Turn, call_turn, failed_turn, http_error, text_turn


def turn_of(written: dict[str, Any]) -> Turn:
    match written:
        case {"text": text}:
            return text_turn(text, pieces=max(1, len(text) // 12)).slow(written.get("pause", 0))
        case {"calls": calls}:
            return call_turn(*((name, arguments) for name, arguments in calls))
        case {"failed": message}:
            return failed_turn(message)
        case {"status": status, "message": message}:
            return http_error(status, message, headers=written.get("headers"))
    raise SystemExit(f"This is no turn: {written}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.scripted_server", description=__doc__)
    parser.add_argument("--turns", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    turns = [turn_of(written) for written in json.loads(options.turns.read_text(encoding="utf-8"))]
    with ScriptedServer(turns, port=options.port) as server:
        print(server.base_url, flush=True)  # noqa: T201 - whoever started this reads it
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
