"""What a job gives back, read from JSON that the job may have forged."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

import jiter
import orjson

from qdash_jupyter.cells.outputs import chart_of
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.worker.inside import MEMORY
from qdash_jupyter.worker.limits import (
    MOST_CHARTS,
    MOST_NAMES,
    NAME_CHARS,
    OUTPUT_BYTES,
    RESULT_BYTES,
    VALUE_CHARS,
    WorkerLimits,
)

_SLACK = 100
"""Characters of what is said beside a text that was cut."""
STOPPED = "Execution was stopped"
_BROKEN = "The code spoiled its own result"


@dataclass(frozen=True, slots=True)
class JobResult:
    """What came of a job, without keys and passwords. `output` is what it printed, or said in `result`; `charts` are
    Plotly figures of plain lists, without what would ask other servers. `error` is one line, empty where all went well;
    `traceback` names the lines of the code. `value` describes the last expression (see
    `qdash_jupyter.cells.result_value`).
    """

    output: str = ""
    charts: tuple[JsonObject, ...] = ()
    error: str = ""
    value: Any = None
    traceback: str = ""
    blocks: tuple[ChartBlock, ...] = ()
    """The charts as an answer has them."""
    created: tuple[tuple[str, str], ...] = ()
    """The names that it bound, each with type and shape in words."""
    names: tuple[str, ...] | None = None
    """All that the session has now; None where it did not say."""
    gone: tuple[str, ...] = ()
    """Those of earlier code that went with a process: it was killed, or has ended by itself."""


def read_result(written: bytes, ended: JsonObject | None, limits: WorkerLimits) -> JobResult:
    """The result of what a session wrote; and, where its process ended, how: `by` (`time`, `cpu`, `stop`, `size`,
    `fork` or empty) and its exit `code`.
    """
    if ended is not None and (error := _why_it_ended(ended, limits)):
        return JobResult(error=error, traceback=error)
    if not written:
        return failed("The code ended its process before it had a result")
    try:
        return _read(masked(jiter.from_json(written, allow_inf_nan=False)), limits)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return failed(_BROKEN)


def failed(error: str) -> JobResult:
    """One that has nothing but this error."""
    return JobResult(error=error, traceback=error)


def _read(told: JsonObject, limits: WorkerLimits) -> JobResult:
    error, value = _text(told, "error"), told.get("value")
    if error == MEMORY:
        return failed(f"Memory limit of {limits.memory_mb} MB exceeded")
    if value is not None and len(orjson.dumps(value)) > VALUE_CHARS:
        return failed(_BROKEN)
    charts = told.get("charts", ())
    if len(charts) > MOST_CHARTS:
        return failed(_BROKEN)
    blocks = tuple(chart_of(chart) for chart in charts)
    if not all(isinstance(trace, dict) for block in blocks for trace in block.data):
        return failed(_BROKEN)
    figures = tuple(block.figure() for block in blocks)
    created = tuple((_name(name), _name(words)) for name, words in told.get("created", ())[:MOST_NAMES])
    names = tuple(map(_name, told["names"][:MOST_NAMES])) if "names" in told else None
    return JobResult(_text(told, "output"), figures, error, value, _text(told, "traceback"), blocks, created, names)


def _name(said: Any) -> str:
    if not isinstance(said, str):
        raise TypeError(said)
    return said[:NAME_CHARS]


def _text(told: JsonObject, name: str) -> str:
    text = told.get(name, "")
    if not isinstance(text, str):
        raise TypeError(name)
    return text[: OUTPUT_BYTES + _SLACK]


def _why_it_ended(ended: JsonObject, limits: WorkerLimits) -> str:
    code = ended["code"]
    reasons = {
        "time": f"Execution timed out after {limits.seconds:g} seconds",
        "cpu": f"Execution took more than {limits.cpu_seconds} seconds of the processor",
        "stop": STOPPED,
        "size": f"The result is larger than {RESULT_BYTES // 1_000_000} MB",
        "fork": f"No process can be begun for it: {ended.get('why')}",
    }
    if ended["by"]:
        return reasons[ended["by"]]
    if code == -signal.SIGKILL:
        return "The process of the code was killed from outside; perhaps the machine has too little memory"
    if code < 0:
        crash = signal.Signals(-code).name
        return f"The code crashed its process ({crash}), as some libraries do beyond {limits.memory_mb} MB of memory"
    return ""
