"""The line of `%copilot analyze`."""

from __future__ import annotations

import re

from qdash_jupyter.domain.analysis import AnalysisRequest
from qdash_jupyter.errors import QuestionError

_WAIT = re.compile(r"\s*--wait(?=\s|\Z)")
_OPTION = re.compile(r"\s*--(?P<name>[\w-]+)(?:[ =]+(?P<value>\S+))?")
_OPTIONS = ("execution", "task-id")
_USAGE = "Write `%copilot analyze TASK QID`, e.g. `%copilot analyze CheckT1 7`."


def waits(words: str) -> tuple[bool, str]:
    """Whether the words begin with `--wait`, and the rest."""
    found = _WAIT.match(words)
    return found is not None, words[found.end() :] if found else words


def analyze_line(words: str) -> tuple[bool, AnalysisRequest, str]:
    """`TASK QID [--execution ID] [--task-id ID] [--wait] [QUESTION]`: whether to wait (`--wait` may come first, too),
    what is meant, and the question as it is written.

    Raises:
        QuestionError: the task or the qubit is missing, or there is no such option.
    """
    waiting, words = waits(words)
    task, _, rest = words.strip().partition(" ")
    qid, _, rest = rest.strip().partition(" ")
    if not qid or task.startswith("-") or qid.startswith("--"):
        raise QuestionError("An analysis needs a task, and a qubit or coupling.", _USAGE)
    options: dict[str, str] = {}
    while found := _OPTION.match(rest):
        if (begins := waits(rest))[0]:
            waiting, rest = begins
            continue
        if found["name"] not in _OPTIONS or not found["value"]:
            raise QuestionError(f"`--{found['name']}` is no option here, or has no value.", _USAGE)
        options[found["name"]] = found["value"]
        rest = rest[found.end() :]
    return waiting, AnalysisRequest(task, qid, options.get("execution"), options.get("task-id")), rest.strip()
