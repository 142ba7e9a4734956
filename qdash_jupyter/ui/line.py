"""What one writes behind `%copilot` and `%%copilot`: commands, their options, and words that stay as they are."""

from __future__ import annotations

import keyword
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qdash_jupyter.domain.analysis import AnalysisRequest
from qdash_jupyter.errors import QuestionError, nearest
from qdash_jupyter.messages.message import Message, sentences
from qdash_jupyter.session.records import TurnOptions

_OPTION = re.compile(r"\s*(?P<dashes>--?)(?P<name>[A-Za-z][\w-]*)(?=[\s=]|\Z)")
_VALUE = re.compile(r"(?:=|[ \t]+)(?!-)(?P<value>(?:\\.|\"(?:\\.|[^\"\\])*\"|'[^']*'|[^\s\"'\\])+)")
_COMMAND = re.compile(r"[A-Za-z][A-Za-z_-]*\??")

Options = Mapping[str, str]
"""What each option takes; empty: nothing."""

DATA: Options = {"demo": "", "snapshot": "DIR", "mongo": "URI", "project": "ID", "chip": "ID", "qid": "ID"}
ASK: Options = {"wait": "", "chip": "ID", "project": "ID", "qid": "ID", "model": "NAME", "out": "NAME", "pick": "N"}
_ABOUT: Options = {name: ASK[name] for name in ("wait", "model", "out")}
ANALYZE: Options = {"execution": "ID", "task-id": "ID", "chip": "ID", "project": "ID", **_ABOUT}


@dataclass(frozen=True, slots=True)
class LineCommand:
    """One command: its options, and what its other words are; None: there are none."""

    options: Options = field(default_factory=dict)
    words: str | None = None


COMMANDS: Mapping[str, LineCommand] = {
    "analyze": LineCommand(ANALYZE, "result"),
    "approve": LineCommand(words="hash"),
    "ask": LineCommand(ASK, "question"),
    "chip": LineCommand(words="chip"),
    "config": LineCommand({"explain": ""}),
    "cost": LineCommand(words="number"),
    "data": LineCommand(words="data"),
    "export": LineCommand(words="file"),
    "fix": LineCommand(_ABOUT, "question"),
    "help": LineCommand(),
    "key": LineCommand(words="variable"),
    "model": LineCommand(words="model"),
    "models": LineCommand(),
    "new": LineCommand(),
    "open": LineCommand(),
    "panel": LineCommand(),
    "revoke": LineCommand(words="number"),
    "sent": LineCommand(words="number"),
    "start": LineCommand(ASK, "starter"),
    "status": LineCommand(),
    "stop": LineCommand(),
    "trust": LineCommand(),
    "undo": LineCommand(),
    "use": LineCommand(DATA),
}


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is asked: whether the cell waits for its answer, the name that gets it, and what holds for this
    question alone.
    """

    wait: bool = False
    out: str | None = None
    turn: TurnOptions | None = None
    pick: int | None = None
    """The number of an offered question, which is asked instead."""


def command_of(line: str) -> tuple[str, str]:
    """The command of a line, and what is behind it. Words that begin with no command are a question.

    Raises:
        QuestionError: it is one word that is no command, or the command takes no words and there are some.
    """
    name, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if not name:
        return "help", ""
    command = COMMANDS.get(name)
    if command is None:
        if not rest and _COMMAND.fullmatch(name):
            near = nearest(name.rstrip("?"), list(COMMANDS), 1)
            meant = Message("commands-listed")
            if near:
                meant = Message("not-found-nearest", names=f"`%copilot {near[0]}`")
            raise QuestionError(Message("no-command", name=name), sentences(meant, Message("ask-one-word", name=name)))
        return "ask", line.strip()
    if command.words is None and (words := options_of(rest, command.options)[1].strip()):
        raise QuestionError.with_hint("command-without-words", name=name, text=words)
    return name, rest


def options_of(words: str, known: Options) -> tuple[dict[str, str], str]:
    """The options that the words begin with, and the rest as it is written.

    Raises:
        QuestionError: there is no such option, or its value is missing.
    """
    given: dict[str, str] = {}
    while found := _OPTION.match(words):
        name, words = found["name"], words[found.end() :]
        if name not in known or found["dashes"] != "--":
            raise _no_option(found.group().strip(), name, known)
        value = _VALUE.match(words) if known[name] else None
        if value is not None:
            given[name], words = "".join(shlex.split(value["value"])), words[value.end() :]
        elif known[name]:
            raise QuestionError(
                Message("option-needs-value", name=name), Message("option-write", text=f"--{name} {known[name]}")
            )
        elif words.startswith("="):
            raise QuestionError(Message("option-without-value", name=name), Message("option-write", text=f"--{name}"))
        else:
            given[name] = ""
    return given, words


def ask_options(given: Mapping[str, str]) -> AskOptions:
    """The options of a question.

    Raises:
        QuestionError: the answer cannot have that name.
    """
    out = given.get("out")
    if out is not None and (not out.isidentifier() or out in {*keyword.kwlist, "copilot", "data"}):
        raise QuestionError.with_hint("bad-out-name", name=out)
    only = {name: given[name] for name in ("project", "chip", "qid", "model") if name in given}
    pick = given.get("pick")
    if pick is not None and not pick.isdigit():
        raise QuestionError(Message("no-such-offer", number=pick), Message("option-write", text="--pick N"))
    options = TurnOptions(**only) if only else None
    return AskOptions("wait" in given or out is not None, out, options, None if pick is None else int(pick))


def analyze_line(words: str) -> tuple[AskOptions, AnalysisRequest, str]:
    """`TASK QID [OPTIONS] [QUESTION]`: how to ask (options may come first, too), what is meant, and the question as it
    is written.

    Raises:
        QuestionError: the task or the qubit is missing, or there is no such option.
    """
    first, words = options_of(words, ANALYZE)
    task, _, rest = words.strip().partition(" ")
    qid, _, rest = rest.strip().partition(" ")
    if not qid or qid.startswith("--"):
        raise QuestionError(Message("analysis-needs-task"), Message("analysis-usage"))
    given, question = options_of(rest, ANALYZE)
    given = first | given
    request = AnalysisRequest(task, qid, given.get("execution"), given.get("task-id"))
    return ask_options(given), request, question.strip()


def picked(offers: Sequence[str], number: int) -> str:
    """The offered question of a number.

    Raises:
        QuestionError: there is none.
    """
    if not 1 <= number <= len(offers):
        hint = Message("no-such-offer-hint", count=len(offers)) if offers else Message("no-offers-hint")
        raise QuestionError(Message("no-such-offer", number=str(number)), hint)
    return offers[number - 1]


def _no_option(written: str, name: str, known: Options) -> QuestionError:
    options = [f"`--{each}`" for each in nearest(name, list(known), 1) or known]
    if not options:
        return QuestionError(Message("no-option", text=written), Message("no-options"))
    hint = Message("not-found-known", names=tuple(options))
    if len(options) == 1:
        hint = Message("not-found-nearest", names=options[0])
    return QuestionError(Message("no-option", text=written), sentences(hint, Message("question-below")))
