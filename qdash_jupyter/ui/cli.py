"""`qdash-jupyter`: ask a question, call a tool, list the chips, check the database, take a snapshot, from a shell.

Exit status: 0 answered, 1 failed (the reason is on standard error), 2 wrong use, 3 answered, and as bad as `--fail-on`.
"""

from __future__ import annotations

import argparse
import atexit
import codecs
import gc
import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from qdash_jupyter import __version__
from qdash_jupyter.config.disk import expanded, not_kept, reason, write_whole
from qdash_jupyter.config.keys import missing_key
from qdash_jupyter.config.layers import check_file, load_manifest
from qdash_jupyter.domain.events import StampedEvent, ToolFinished, ToolStarted
from qdash_jupyter.domain.safe_text import one_line_json, printable
from qdash_jupyter.errors import CopilotError, PersonError, ToolError
from qdash_jupyter.messages.languages import Language, reader
from qdash_jupyter.messages.message import Message, Text, text_in
from qdash_jupyter.ui.keys import ask_for_key, ask_for_keys, kept_terminal
from qdash_jupyter.ui.line import picked
from qdash_jupyter.ui.log import keep_log
from qdash_jupyter.ui.options import DataOptions, add_data_options, data_options

if TYPE_CHECKING:
    from qdash_jupyter.data.reader import QDashReader
    from qdash_jupyter.domain.answer import Assessment
    from qdash_jupyter.session.copilot import Copilot
    from qdash_jupyter.session.turn import Turn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    gc.set_threshold(100_000)  # while libraries are loaded, and at the end, it finds next to nothing in half a second
    atexit.register(gc.freeze)
    codecs.register_error(_AS_JSON, _escaped)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors=_AS_JSON)
    parsed = _parser().parse_args(arguments)
    try:
        with kept_terminal():
            command: int = parsed.run(parsed)
        if sys.stdout is not None:
            sys.stdout.flush()
    except CopilotError as error:
        _complain(error.text, error.language)
        return 1
    except KeyboardInterrupt:
        _complain(Message("cli-stopped"))
        return 1
    except BrokenPipeError:
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        _complain(Message("cli-no-output", why=reason(error)))
        return 1
    finally:
        if told := not_kept():
            _complain(told)
    return command


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """What the terminal's encoding lacks, as JSON writes it: so it can be read, and JSON stays JSON."""
    assert isinstance(error, UnicodeEncodeError)  # noqa: S101 - nothing is decoded
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _drop_output() -> None:
    """Nobody takes standard output any more: what is left of it must not make the end of the process fail."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_AS_JSON = "qdash-jupyter-as-json"
_FAILS: dict[str, tuple[Assessment, ...]] = {"warning": ("warning", "bad"), "bad": ("bad",)}


def _parser() -> argparse.ArgumentParser:
    """Its help is English, as argparse's own words are."""
    parser = argparse.ArgumentParser(
        prog="qdash-jupyter", description="Ask about the calibration data of a QDash database."
    )
    parser.add_argument("--version", action="version", version=f"qdash-jupyter {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    ask = _command(commands, "ask", _ask, "answer a question")
    ask.add_argument("question")
    ask.add_argument("-o", "--output", metavar="FILE.ipynb", help="also write a notebook that runs again")
    ask.add_argument("--json", action="store_true", help="print the answer as JSON")
    ask.add_argument("--pick", metavar="N", type=int, help="ask the offered question of this number instead")
    ask.add_argument("--fail-on", choices=_FAILS, help="exit status 3 where the assessment is this, or worse")
    approve = "code that may run once: the hash stood beside it when nobody could be asked"
    ask.add_argument("--approve", metavar="HASH", action="append", default=[], help=approve)
    tool = _command(commands, "tool", _tool, "call a tool; prints exactly what the model would get")
    tool.add_argument("name", metavar="NAME")
    tool.add_argument("arguments", metavar="JSON", nargs="?", default="{}")
    chips = _command(commands, "chips", _chips, "list the chips")
    chips.add_argument("--username", metavar="NAME", help="only the chips whose documents are this user's")
    status = _command(commands, "status", _status, "look whether the database has what the tools need")
    snapshot = _command(commands, "snapshot", _snapshot, "write a chip's data from MongoDB to a folder")
    snapshot.add_argument("of_chip", metavar="CHIP")
    snapshot.add_argument("-o", "--output", metavar="DIR", required=True, help="a new folder")
    snapshot.add_argument("--since", metavar="WHEN", help='older results are left out: "90d" or an ISO date')
    curves = "with the figures (Plotly JSON) and raw data of the results"
    snapshot.add_argument("--curves", action="store_true", help=curves)
    config = commands.add_parser("config", help="the settings").add_subparsers(required=True, metavar="COMMAND")
    qdash = _command(config, "import", _import, "print QDash's own copilot settings as our copilot.yaml")
    qdash.add_argument("path", metavar="PATH", help="QDash's `copilot` folder, or one file")
    check = _command(config, "check", _check, "say all that is wrong with a copilot.yaml, each with its line")
    check.add_argument("file", metavar="FILE")
    _command(config, "example", _example, "print a copilot.yaml with an example of each setting")
    _command(config, "explain", _explain, "say which layer each value comes from")
    _command(config, "schema", _schema, "print the JSON Schema of copilot.yaml")
    trusted = _command(commands, "trust", _trust, "trust the copilot.yaml of a folder, as long as it stays as it is")
    trusted.add_argument("folder", metavar="FOLDER", nargs="?", default=".")
    mcp = _command(commands, "mcp", _mcp, "serve the tools that read to other assistants (Model Context Protocol)")
    mcp.add_argument("--http", action="store_true", help="by HTTP on this machine, with a token; else to who starts it")
    mcp.add_argument("--port", type=int, metavar="N", help="for --http; default: 8817; 0 is any that is free")
    serve = _command(
        commands, "serve", _serve, "serve the copilot to web pages and scripts: server-sent events by HTTP"
    )
    serve.add_argument("--port", type=int, metavar="N", default=8818, help="default: 8818; 0 is any that is free")
    serve.add_argument("--allow-origin", metavar="URL", default="", help="a site whose pages may ask, with the token")
    for command in (ask, tool, chips, status, snapshot, mcp, serve):
        add_data_options(command)
    return parser


def _command(commands: Any, name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about)
    parser.set_defaults(run=run)
    return parser


def _ask(parsed: argparse.Namespace) -> int:
    options = data_options(parsed)
    output = Path(parsed.output) if parsed.output else None
    if output is not None and not output.absolute().parent.is_dir():
        raise PersonError.with_hint("no-folder", path=str(output.absolute().parent))
    if sys.stdin.isatty() and (variable := missing_key(load_manifest(options.patch()).manifest)):
        ask_for_key(variable)
    with closing(_copilot(options)) as copilot:
        return _answered(copilot, parsed, output, options)


def _answered(copilot: Copilot, parsed: argparse.Namespace, output: Path | None, options: DataOptions) -> int:
    for code_hash in parsed.approve:
        copilot.approvals.approve(code_hash)
    turn = copilot.start(parsed.question)
    turn.wait(partial(_say, turn.language))
    if parsed.pick is not None:
        turn = copilot.start(picked(turn.result().choices, parsed.pick))
        turn.wait(partial(_say, turn.language))
    answer = turn.result()
    if parsed.json:
        _print(one_line_json(json.dumps(_as_json(turn), ensure_ascii=False)))
    else:
        if answer.badge:
            _print(f"{answer.badge}\n")
        _print(replace(answer, assessment=None).markdown)
        for chart in answer.charts:
            shown = Message("panel-transcript-chart", title=chart.title)
            _print("")
            _print(shown if output else Message("cli-chart-where", chart=shown), turn.language)
    if output is not None:
        from qdash_jupyter.ui.export import notebook_text

        text = notebook_text([turn], copilot.status(), _use_line(options))
        try:
            write_whole(output, text)
        except OSError as error:
            raise PersonError.with_hint("notebook-not-written", why=reason(error, output)) from None
        _print(Message("cli-notebook", path=str(output)), file=sys.stderr)
    return 1 if answer.choices else 3 if answer.assessment in _FAILS.get(parsed.fail_on, ()) else 0


def _tool(parsed: argparse.Namespace) -> int:
    try:
        given = json.loads(parsed.arguments)
    except json.JSONDecodeError as error:
        _complain(Message("arguments-not-json", name=parsed.name, why=str(error)))
        return 2
    if not isinstance(given, dict):
        _complain(Message("arguments-not-an-object", name=parsed.name, value=parsed.arguments))
        return 2
    with closing(_copilot(data_options(parsed))) as copilot:
        result = copilot.call_tool(parsed.name, given)
    _print(result.content)
    if result.failure is not None:
        raise ToolError(result.failure.message, result.failure.hint)
    return 0


def _chips(parsed: argparse.Namespace) -> int:
    with _reader(parsed) as (reader, project):
        chips = reader.chips(project, parsed.username)
        _print(Message("cli-chips"))
        for chip in chips:
            _print(f"{chip.ref.project_id:<20} {chip.ref.chip_id:<20} {chip.size:>6}  {chip.activity_status}")
    return 0


def _status(parsed: argparse.Namespace) -> int:
    from qdash_jupyter.connect import index_words

    with _reader(parsed) as (reader, project):
        _print(Message("cli-database", database=reader.origin.label, count=len(reader.chips(project))))
        for line in index_words(reader):
            _print(line)
    return 0


@contextmanager
def _reader(parsed: argparse.Namespace) -> Iterator[tuple[QDashReader, str | None]]:
    """Of the data that are meant, and the project that is."""
    from qdash_jupyter.connect import open_reader

    options = data_options(parsed)
    manifest = load_manifest(options.patch()).manifest
    with closing(open_reader(manifest, demo=options.demo)) as reader:
        yield reader, manifest.database.project


def _snapshot(parsed: argparse.Namespace) -> int:
    from qdash_jupyter.connect import take_snapshot
    from qdash_jupyter.data.calib_data import CALIB_DATA

    options = replace(data_options(parsed), chip=parsed.of_chip)
    folder = Path(parsed.output).absolute()

    def on_progress(collection: str, count: int) -> None:
        kind = "files" if collection == CALIB_DATA else "documents"
        _print(Message("cli-copied", name=collection, count=count, kind=kind), file=sys.stderr)

    manifest = load_manifest(options.patch()).manifest
    chip = take_snapshot(manifest, folder, since=parsed.since, curves=parsed.curves, on_progress=on_progress)
    _print(Message("cli-snapshot", chip=chip.ref.chip_id, project=chip.ref.project_id, folder=str(folder)))
    _print(Message("cli-snapshot-use", folder=shlex.quote(str(folder))))
    return 0


def _mcp(parsed: argparse.Namespace) -> int:
    from qdash_jupyter.ui.serving import PORT, serve_tools

    keep_log()
    serve_tools(data_options(parsed), PORT if parsed.http and parsed.port is None else parsed.port)
    return 0


def _serve(parsed: argparse.Namespace) -> int:
    from qdash_jupyter.ui.serving import serve_copilot

    keep_log()
    serve_copilot(data_options(parsed), parsed.port, parsed.allow_origin)
    return 0


def _trust(parsed: argparse.Namespace) -> int:
    from qdash_jupyter.config.trust import trust

    folder = expanded(parsed.folder)
    _print(Message("cli-trusted", folder=str(folder), file=str(trust(folder))))
    return 0


def _check(parsed: argparse.Namespace) -> int:
    found = check_file(expanded(parsed.file).absolute())
    said = [each.text for each in found.violations] or [Message("cli-no-mistakes")]
    for text in (*said, *(hint.message for hint in found.hints)):
        _print(Message("cli-file", file=parsed.file, text=text))
    return 1 if found.violations else 0


def _explain(_: argparse.Namespace) -> int:
    from qdash_jupyter.config.explain import explained

    for key, value, origin in explained(load_manifest()):
        _print(f"{key}: {value}  ({text_in(origin, reader())})")
    return 0


def _example(_: argparse.Namespace) -> int:
    from importlib.resources import files

    _print((files("qdash_jupyter.config") / "example.yaml").read_text(encoding="utf-8"), end="")
    return 0


def _schema(_: argparse.Namespace) -> int:
    from qdash_jupyter.config.schema import manifest_schema

    _print(json.dumps(manifest_schema(os.environ), indent=2, ensure_ascii=False))
    return 0


def _import(parsed: argparse.Namespace) -> int:
    import yaml

    from qdash_jupyter.config.qdash_copilot import read_qdash_copilot, without_passwords

    found = read_qdash_copilot(Path(parsed.path), os.environ)
    for note in found.notes:
        _print(Message("cli-not-imported", text=note))
    _print(yaml.safe_dump(without_passwords(found.patch), allow_unicode=True, sort_keys=False), end="")
    return 0


def _copilot(options: DataOptions) -> Copilot:
    import pandas as pd

    from qdash_jupyter.connect import open_copilot

    keep_log()
    # Tables as a kernel prints them, whatever the terminal's width: the notebook of `-o` is compared with a kernel's.
    pd.set_option("display.max_columns", 20, "display.width", 80)
    ask = ask_for_keys if sys.stdin.isatty() else None
    copilot = open_copilot(settings=options.patch(), demo=options.demo, ask_for_keys=ask)
    try:
        for issue in copilot.status().issues:  # also what could not be connected: in cron nobody sees a panel
            if issue.name != Message("files-of-user"):  # which are told of at the end
                _complain(issue.text)
    except BaseException:
        copilot.close()
        raise
    return copilot


def _use_line(options: DataOptions) -> str:
    if options.snapshot is not None:
        options = replace(options, snapshot=str(Path(options.snapshot).absolute()))
    return options.line()


def _say(language: Language, stamped: StampedEvent) -> None:
    """Progress on standard error: one line a step."""
    from qdash_jupyter.ui.progress import words_of

    event = stamped.event
    if isinstance(event, ToolStarted):
        _print(f"· {words_of(event, language)}", file=sys.stderr)
    elif isinstance(event, ToolFinished) and event.result.failure is not None:
        failure = event.result.failure
        _print(f"  {'–' if failure.is_answer else '✕'} {text_in(failure.reason, language)}", file=sys.stderr)


def _complain(text: Text, language: Language = "") -> None:
    _print(Message("cli", text=text), language, file=sys.stderr)


def _print(text: Text, language: Language = "", *, file: TextIO | None = None, end: str = "\n") -> None:
    """What is printed holds words of databases and models."""
    print(printable(text_in(text, language or reader())), file=file, end=end)


def _as_json(turn: Turn) -> dict[str, object]:
    answer = turn.result()
    return answer.to_seed_schema() | {
        "question": turn.question,
        "stop_reason": answer.stop_reason.value,
        "offers": list(answer.choices),
        "frames": list(answer.frame_keys),
        "cells": [
            {"purpose": run.request.purpose, "code": run.request.code, "status": run.status} for run in turn.cells
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
