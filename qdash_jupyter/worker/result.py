"""What a job gives back, read from JSON that the job may have forged."""

from __future__ import annotations

import contextlib
import logging
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from threading import Event, Thread
from typing import Any, TypeAlias

import orjson

from qdash_jupyter.cells.kept_output import KeptOutput, Show
from qdash_jupyter.cells.outputs import MOST_CHARTS, charts_of, text_of
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.chart_bundle import plain_arrays
from qdash_jupyter.errors import CopilotError, ToolError
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.worker.channel import MEMORY
from qdash_jupyter.worker.limits import (
    MOST_NAMES,
    NAME_CHARS,
    OUTPUT_BYTES,
    RESULT_BYTES,
    VALUE_CHARS,
    WorkerLimits,
    cut,
)

logger = logging.getLogger("qdash_jupyter")

Call: TypeAlias = Callable[[str, Sequence[Any], JsonObject], StoredResult | JsonObject]
"""Calls a tool that reads, with arguments by place and by name. Blocks; raises what `copilot.tools` does."""

_LOOK_S = 0.05
_SLACK = 100
"""Characters of what is said beside a text that was cut."""
_WITHOUT_IT = "Answer without it."
STOPPED = Message("code-stopped")
_BROKEN = Message("code-spoiled-result")


@dataclass(frozen=True, slots=True)
class JobResult:
    """What came of a job, without keys and passwords. `output` is what it printed, or said in `result`; `charts` are
    Plotly figures of plain lists, without what would ask other servers. `error` is one line, empty where all went well:
    Python's words, or a message where the code was stopped; `traceback` names the lines of the code. `value` describes
    the last expression (see `qdash_jupyter.cells.result_value`).
    """

    output: str = ""
    charts: tuple[ChartBlock, ...] = ()
    error: Text = ""
    value: Any = None
    traceback: str = ""
    created: tuple[tuple[str, str], ...] = ()
    """The names that it bound, each with type and shape in words."""
    names: tuple[str, ...] | None = None
    """All that the session has now; None where it did not say."""
    outputs: tuple[JsonObject, ...] = ()
    """All that it showed, as nbformat outputs."""
    bound: Mapping[str, Any] = field(default_factory=dict)
    """What names of the kernel are to hold: those that it bound, or whose content it changed."""
    stays: tuple[tuple[str, str], ...] = ()
    """The names of these whose objects are in the session alone, each with type and shape in words."""
    changed: tuple[str, ...] = ()
    """Names of the kernel whose objects it has changed in place; what they are now is in `bound`, or stays."""
    deleted: tuple[str, ...] = ()
    """Names that were there, and that it has taken away."""
    needed: tuple[tuple[str, str], ...] = ()
    """The names that it used of those which are in the kernel alone, each with the attribute or method used."""
    tried: tuple[tuple[str, str], ...] = ()
    """What it tried outside, in vain: `writes`, `reads`, `misses` (read, and not seen there), `connects`, `starts`,
    `signals`, `imports` or `uses` (anything else, by its audit event), and what.
    """
    missing: tuple[str, ...] = ()
    """Names of the kernel that the session should have had and has not: nothing has run."""
    gone: tuple[str, ...] = ()
    """Those of earlier code that went with a process: it was killed, or has ended by itself."""


class Reader:
    """Hears what a session tells of one piece of code, which it may have forged."""

    def __init__(
        self, limits: WorkerLimits, show: Show | None = None, call: Call | None = None, stopped: Event | None = None
    ) -> None:
        """`show` hears of each message that may be shown, without keys and passwords, as it comes. Once `stopped` is
        set, nobody waits for a tool any more.
        """
        self._limits, self._call, self._stopped = limits, call, stopped or Event()
        self._kept = KeptOutput(show)
        self.hear = self._kept.hear
        self._bound: dict[str, object] = {}

    def called(
        self, tool: str, by_place: Sequence[Any], by_name: JsonObject, is_there: Callable[[], bool]
    ) -> StoredResult | JsonObject | Exception:
        """What the tool gives, or what is to be raised. Once the session is not there, it is not waited for."""
        if self._call is None:
            return AttributeError("There are no tools here.")
        try:
            return self._waited_for(is_there, self._call, tool, by_place, by_name)
        except CopilotError as error:
            return ToolError(str(error.message), str(error.hint))
        except AttributeError as error:
            return AttributeError(str(error))
        except TypeError as error:
            return TypeError(str(error))
        except Exception:
            logger.exception("A tool that code had called failed")
            said = f"{tool} failed inside the copilot."
            return ToolError(said, _WITHOUT_IT)

    def _waited_for(self, is_there: Callable[[], bool], call: Call, *arguments: Any) -> StoredResult | JsonObject:
        """What the call gives: on a thread of its own, as neither a Stop nor the end of a session waits for a tool."""
        outcome: Future[StoredResult | JsonObject] = Future()

        def work() -> None:
            try:
                outcome.set_result(call(*arguments))
            except BaseException as error:  # noqa: BLE001 - raised by whoever waits
                outcome.set_exception(error)

        Thread(target=work, name="isolated-worker-tool", daemon=True).start()
        while not wait([outcome], _LOOK_S).done:
            if self._stopped.is_set() or not is_there():
                raise ToolError(STOPPED)
        return outcome.result()

    def carried(self, name: str, parts: Sequence[bytes | bytearray]) -> None:
        """What a name of the kernel is to hold; forged, it is dropped."""
        from qdash_jupyter.worker.names_out import read
        from qdash_jupyter.worker.names_out_values import Unreadable

        with contextlib.suppress(Unreadable):
            if _is_name(name) and len(self._bound) < MOST_NAMES:
                self._bound[name] = read(parts)

    def result(self, done: JsonObject, ended: JsonObject | None) -> JobResult:
        """The result; where its process ended, `ended` says how: `by` (`time`, `cpu`, `stop`, `size`, `spoiled`, `fork`
        or empty) and its exit `code`.
        """
        outputs = self._kept.outputs()
        if ended is not None and (error := _why_it_ended(ended, self._limits)):
            return replace(failed(error), outputs=outputs)
        if not done:
            return replace(failed(Message("code-ended-process")), outputs=outputs)
        try:
            return replace(_read(masked(done), outputs, self._limits), bound=self._bound)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return failed(_BROKEN)


def failed(error: Text) -> JobResult:
    """One that has nothing but this error."""
    return JobResult(error=error, traceback=str(error))


def _read(told: JsonObject, outputs: tuple[JsonObject, ...], limits: WorkerLimits) -> JobResult:
    error, value = _text(told, "error"), told.get("value")
    if error == MEMORY:
        return replace(failed(Message("code-memory-limit", megabytes=limits.memory_mb)), outputs=outputs)
    if value is not None and len(orjson.dumps(value)) > VALUE_CHARS:
        return failed(_BROKEN)
    return JobResult(
        _text(told, "output") if "output" in told else cut(text_of(outputs)),
        charts_of(plain_arrays(outputs))[:MOST_CHARTS],
        error,
        value,
        _text(told, "traceback"),
        _pairs(told, "created"),
        _names(told, "names") if "names" in told else None,
        outputs=outputs,
        stays=_pairs(told, "stays"),
        changed=_names(told, "changed"),
        deleted=_names(told, "deleted"),
        needed=_pairs(told, "needed"),
        tried=_pairs(told, "tried"),
        missing=_names(told, "missing"),
    )


def _names(told: JsonObject, key: str) -> tuple[str, ...]:
    return tuple(map(_name, told.get(key, ())[:MOST_NAMES]))


def _pairs(told: JsonObject, key: str) -> tuple[tuple[str, str], ...]:
    return tuple((_name(one), _name(other)) for one, other in told.get(key, ())[:MOST_NAMES])


def _name(said: Any) -> str:
    if not isinstance(said, str):
        raise TypeError(said)
    return "".join(letter if letter.isprintable() else " " for letter in said[:NAME_CHARS])


def _is_name(name: str) -> bool:
    """Whether code may have bound it for the kernel: those that begin with `_` are Python's and IPython's."""
    return name.isidentifier() and not (iskeyword(name) or name.startswith("_") or len(name) > NAME_CHARS)


def _text(told: JsonObject, name: str) -> str:
    text = told.get(name, "")
    if not isinstance(text, str):
        raise TypeError(name)
    return text[: OUTPUT_BYTES + _SLACK]


def _why_it_ended(ended: JsonObject, limits: WorkerLimits) -> Text:
    code = ended["code"]
    reasons = {
        "time": Message("code-timed-out", seconds=limits.seconds or 0),
        "cpu": Message("code-cpu-limit", seconds=limits.cpu_seconds or 0),
        "stop": STOPPED,
        "spoiled": _BROKEN,
        "size": Message("code-result-too-large", megabytes=RESULT_BYTES // 1_000_000),
        "fork": Message("code-no-process", why=str(ended.get("why"))),
    }
    if ended["by"]:
        return reasons[ended["by"]]
    if code == -signal.SIGKILL:
        return Message("code-killed")
    if code < 0:
        return Message("code-crashed", signal=signal.Signals(-code).name, megabytes=limits.memory_mb)
    return ""
