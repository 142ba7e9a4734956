"""Do the tests find a mistake? Draws one-line faults over all rooms from a seed, and plants one after the other.

    python -m scripts.faults draw --seed 33 > faults.json
    python -m scripts.faults try faults.json --checkout ../a-clone-with-its-environment > found.json

A fault is tried on the tests of its room, then on those of the rooms that use it, in the end (all that nobody found,
planted together) on the whole run; what fails there is tried with each of them alone. `--long`: the long tests, too.
The checkout is changed and put back: give it a clone of its own, with `.venv` and `js/node_modules`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

ROOMS = {f"qdash_jupyter/{name}": ("*.py",) for name in (
    *("agent", "cells", "config", "connect", "data", "domain", "explore", "llm", "methods", "server", "session"),
    *("store", "tool_sets", "tools", "ui", "worker"),
)} | {f"js/src/{name}": ("*.ts", "*.tsx") for name in ("extension", "panel", "client", "shared")}  # fmt: skip
SCRIPTS = "js/"
MORE = 4
"""Faults beyond one a room, drawn over all rooms."""
LIMIT_S = 3600
"""A command that has not ended by then has found the fault: tests that wait for what never comes hang."""

USERS = {
    "agent": "session",
    "cells": "worker session ui",
    "config": "session tool_sets ui",
    "connect": "session ui",
    "data": "tools llm",
    "domain": "agent tools store session ui",
    "explore": "session ui",
    "llm": "agent session",
    "methods": "tools llm",
    "server": "worker",
    "session": "ui server",
    "store": "tools session",
    "tool_sets": "session",
    "tools": "agent session llm",
    "ui": "session",
    "worker": "server",
}
"""The rooms whose tests are the neighbours'."""

LEFT_OUT = ("data/demo/", "/static/", "/wire.ts", "/words/", "japanese")
"""What is generated, moves away, or is a table of words."""

IN_BOTH = ((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" + ", " - "), (" - ", " + "))
IN_PYTHON = (
    *IN_BOTH,
    *((" == ", " != "), (" != ", " == "), (" is not ", " is "), (" is None", " is not None"), (" and ", " or ")),
    *((" or ", " and "), (" not in ", " in "), ("if not ", "if "), ("True", "False"), ("False", "True")),
    *((" * ", " / "), (" / ", " * ")),
)
IN_SCRIPTS = (
    *IN_BOTH,
    *((" === ", " !== "), (" !== ", " === "), (" && ", " || "), (" || ", " && "), ("true", "false")),
    *(("false", "true"), ("if (!", "if ("), (" ?? ", " && ")),
)
NUMBER = re.compile(r"(?<![\w.\"'])\d+(?![\w.\"'])")
CALL = re.compile(r"^\s+(?!logger\.|super\()[\w.]+\(.*\)$")
NO_CODE = ("//", "*", "/*", "import ", "from ", "export type", "type ", "interface ", "|", "@", "class ", "def ")


@dataclass(frozen=True, slots=True)
class Fault:
    """One line of a file, as it is and as it becomes."""

    path: str
    line: int
    before: str
    after: str

    @property
    def room(self) -> str:
        """Its folder below the package, or below js/src."""
        return Path(self.path).parts[2 if self.path.startswith(SCRIPTS) else 1]


def faults_of(path: Path) -> Iterator[Fault]:
    """What can go wrong in a file: comparisons, signs, logic, truth, numbers, and calls that are left out."""
    text = path.read_text(encoding="utf-8")
    is_python = path.suffix == ".py"
    lines = text.split("\n")
    codes = _without_texts(text) if is_python else lines
    for number, (line, code) in enumerate(zip(lines, codes, strict=True), 1):
        if code.strip().startswith(NO_CODE):
            continue
        changes = [
            (at, old, new)
            for old, new in (IN_PYTHON if is_python else IN_SCRIPTS)
            if (at := code.find(old)) >= 0 and code[:at].count("'") % 2 == 0
        ]
        changes += [(found.start(), found[0], str(int(found[0]) + 1)) for found in NUMBER.finditer(code)]
        if is_python and CALL.match(code):
            changes.append((len(line) - len(line.lstrip()), line.strip(), "pass"))
        for at, old, new in changes:
            yield Fault(str(path), number, line, line[:at] + new + line[at + len(old) :])


def _without_texts(text: str) -> list[str]:
    """The lines of a module, with blanks where strings and comments stand."""
    lines = [list(line) for line in text.split("\n")]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in {tokenize.STRING, tokenize.COMMENT}:
            (first, start), (last, end) = token.start, token.end
            for row in range(first, last + 1):
                line = lines[row - 1]
                here, there = start if row == first else 0, end if row == last else len(line)
                line[here:there] = "_" * (there - here)
    return ["".join(line) for line in lines]


def drawn(seed: int) -> list[Fault]:
    """One fault a room, and some more; by file first, so that no table of numbers takes all."""
    chance = Random(seed)  # noqa: S311 - no secret
    by_room = [
        [
            found
            for file in sorted(path for pattern in patterns for path in Path(room).rglob(pattern))
            if not any(part in str(file) for part in LEFT_OUT)
            if (found := list(faults_of(file)))
        ]
        for room, patterns in ROOMS.items()
    ]
    chosen = [chance.choice(chance.choice(files)) for files in by_room]
    everything = [faults for files in by_room for faults in files]
    return chosen + [chance.choice(chance.choice(everything)) for _ in range(MORE)]


class Bench:
    """A checkout in which faults are planted and tests run."""

    def __init__(self, checkout: Path, *, takes_long: bool) -> None:
        self.checkout = checkout
        self.marks = "not live" if takes_long else "not long and not live"
        self._clock = time.time()

    @contextlib.contextmanager
    def planted(self, faults: Sequence[Fault]) -> Iterator[None]:
        """The checkout with these faults in it."""
        were = {path: path.read_bytes() for fault in faults if (path := self.checkout / fault.path)}
        try:
            for fault in faults:
                self._plant(fault)
            self._build(faults)
            yield
        finally:
            for path, content in were.items():
                self._write(path, content)
            self._build(faults)

    def _plant(self, fault: Fault) -> None:
        path = self.checkout / fault.path
        lines = path.read_text(encoding="utf-8").split("\n")
        places = [place for place, line in enumerate(lines) if line == fault.before]
        if not places:
            msg = f"{fault.path} has no line {fault.before!r} any more"
            raise SystemExit(msg)
        lines[min(places, key=lambda place: abs(place + 1 - fault.line))] = fault.after
        self._write(path, "\n".join(lines).encode())

    def _write(self, path: Path, content: bytes) -> None:
        """With a time of its own: compiled modules are told apart by seconds and size."""
        path.write_bytes(content)
        self._clock += 2
        os.utime(path, (self._clock, self._clock))

    def _build(self, faults: Sequence[Fault]) -> None:
        """What the browser gets is made of TypeScript."""
        if any(fault.path.startswith(SCRIPTS) for fault in faults):
            self._fails("npm", "--prefix", "js", "run", "--silent", "build")

    def stages(self, fault: Fault) -> Iterator[tuple[str, list[str]]]:
        """What fails at each stage, from the nearest on."""
        npm = ("npm", "--prefix", "js", "--silent")
        if fault.path.startswith(SCRIPTS):
            yield "room", self._failing({"npm test": (*npm, "test")})
            yield "check", self._failing({"npm run check": (*npm, "run", "check")})
            yield "neighbours", self.failures(["tests/lab", "tests/server/test_client.py"], first_only=True)
            return
        room = f"tests/{fault.room}"
        yield "room", self.failures([room if (self.checkout / room).exists() else "tests/session"], first_only=True)
        yield "neighbours", self.failures([f"tests/{name}" for name in USERS[fault.room].split()], first_only=True)
        # Not ruff, which minds the `pass` itself.
        yield "check", self._failing({"pyrefly": (".venv/bin/pyrefly", "check")})

    def failures(self, targets: Sequence[str], *, first_only: bool) -> list[str]:
        """The tests that fail; `first_only` ends with the first."""
        python = str((self.checkout / ".venv/bin/python").absolute())
        command = [python, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:nbval"]
        command += ["-m", self.marks, *(["-x"] if first_only else []), *targets]
        code, output = self._run(command)
        failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", output, re.MULTILINE)
        return failed or ([f"pytest ended with {code}"] if code not in {0, 5} else [])

    def _failing(self, commands: Mapping[str, Sequence[str]]) -> list[str]:
        return [name for name, command in commands.items() if self._fails(*command)]

    def _fails(self, *command: str) -> bool:
        return bool(self._run(command)[0])

    def _run(self, command: Sequence[str]) -> tuple[int, str]:
        """The exit code and what was printed; what hangs is ended with all that it started."""
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=self.checkout, stdout=pipe, stderr=subprocess.STDOUT, text=True, start_new_session=True
        ) as process:
            try:
                output, _ = process.communicate(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
        return process.returncode, output


def try_all(faults: Sequence[Fault], bench: Bench) -> Iterator[tuple[Fault, str, list[str]]]:
    """Each fault, the stage at which it was found (or "nobody"), and what failed."""
    left: list[Fault] = []
    for fault in faults:
        with bench.planted([fault]):
            stage, failed = next(((stage, failed) for stage, failed in bench.stages(fault) if failed), ("not yet", []))
        print(f"{fault.path}:{fault.line} {stage} {failed[:1]}", file=sys.stderr, flush=True)
        if failed:
            yield fault, stage, failed
        else:
            left.append(fault)
    if not left:
        return
    with bench.planted(left):
        suspects = bench.failures(["tests"], first_only=False)
    for fault in left:
        found: list[str] = []
        if suspects:
            with bench.planted([fault]):
                found = bench.failures(sorted(suspects), first_only=False)
        yield fault, "whole run" if found else "nobody", found


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, or try."""
    parser = argparse.ArgumentParser(prog="python -m scripts.faults", description=__doc__)
    parser.add_argument("what", choices=("draw", "try"))
    parser.add_argument("faults", nargs="?", type=Path)
    parser.add_argument("--seed", type=int, default=33)
    parser.add_argument("--checkout", type=Path)
    parser.add_argument("--long", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.what == "draw":
        print(json.dumps([asdict(fault) for fault in drawn(asked.seed)], indent=1, ensure_ascii=False))
        return 0
    faults = [Fault(**one) for one in json.loads(asked.faults.read_text(encoding="utf-8"))]
    bench = Bench(asked.checkout.absolute(), takes_long=asked.long)
    rows = [asdict(fault) | {"found_by": stage, "failed": some[:5]} for fault, stage, some in try_all(faults, bench)]
    print(json.dumps(rows, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
