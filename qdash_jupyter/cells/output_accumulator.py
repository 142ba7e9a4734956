"""The outputs of a cell from the kernel's messages, as JupyterLab's notebook model keeps them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.domain.answer import JsonObject

MOST_CHARS = 10_000_000
"""How many characters of one cell's messages are kept; what comes beyond is counted. Code that shows what it has made
has smaller limits (`qdash_jupyter.cells.shell_output`): this one is for messages that are forged.
"""

_MOVES = re.compile(r"([\n\r\b])")
_UPDATE = "update_display_data"
_OUTPUTS = ("stream", "display_data", "execute_result", "error")


class OutputAccumulator:
    """Takes the messages of one cell one by one, from any thread; keeps what the cell shows after the last of them."""

    def __init__(self, most: int = MOST_CHARS) -> None:
        self._most = most
        self._lock = Lock()
        self._clear_next = False
        self._clear()

    def add(self, kind: str, content: JsonObject) -> None:
        """One message: its type, and its content as a client gets it."""
        with self._lock:
            if kind == "clear_output":
                self._stream, self._clear_next = None, bool(content["wait"])
                if not self._clear_next:
                    self._clear()
            elif kind == _UPDATE or kind in _OUTPUTS:
                if self._clear_next and kind != _UPDATE:
                    self._clear_next = False
                    self._clear()
                self._add(kind, content)

    def outputs(self) -> tuple[JsonObject, ...]:
        """What there is to see now, as nbformat outputs. Says so at the end, should something have been left out."""
        with self._lock:
            outputs = [kept.output for kept in self._kept]
            if self._left_out:
                text = f"… {self._left_out:,} more characters of output are in the notebook's cell only.\n"
                outputs.append({"output_type": "stream", "name": "stderr", "text": text})
        return tuple(outputs)

    def _clear(self) -> None:
        self._kept: list[_Printed | _Shown] = []
        self._stream: _Printed | None = None
        self._by_display: dict[str, list[_Shown]] = {}
        self._left_out, self._room = 0, self._most

    def _add(self, kind: str, content: JsonObject) -> None:
        display_id = _display_id(content) if kind in {"display_data", _UPDATE} else ""
        before = self._by_display.get(display_id, [])
        size = _size(content) * (len(before) + (kind != _UPDATE))
        if size > self._room and kind != "error":
            self._left_out += size
            return
        self._room -= size
        if kind == "stream":
            self._print(content["name"], content["text"])
            return
        for shown in before:  # a display that is shown again changes where it was shown before, too
            shown.output = {"output_type": "display_data", "data": content["data"], "metadata": content["metadata"]}
        if kind != _UPDATE:
            self._stream = None
            fields = {key: value for key, value in content.items() if key != "transient"}
            self._kept.append(shown := _Shown({"output_type": kind, **fields}))
            if display_id:
                self._by_display[display_id] = [*before, shown]

    def _print(self, name: str, text: str) -> None:
        if self._stream is None or self._stream.name != name:
            self._stream = _Printed(name)
            self._kept.append(self._stream)
        self._stream.write(text)


class _Printed:
    """One stream output, with a cursor that a carriage return or a backspace moves within the last line."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lines: list[str] = []
        self._last = ""
        self._at = 0

    def write(self, text: str) -> None:
        for part in _MOVES.split(text):
            if part == "\n":
                self._lines.append(f"{self._last}\n")
                self._last, self._at = "", 0
            elif part == "\r":
                self._at = 0
            elif part == "\b":
                if self._at:
                    self._last = self._last[: self._at - 1] + self._last[self._at + 1 :]
                    self._at -= 1
            elif part:
                self._last = self._last[: self._at] + part + self._last[self._at + len(part) :]
                self._at += len(part)

    @property
    def output(self) -> JsonObject:
        return {"output_type": "stream", "name": self.name, "text": "".join(self._lines) + self._last}


@dataclass(eq=False, slots=True)
class _Shown:
    """One output that is no stream; an update puts another in its place."""

    output: JsonObject


def _display_id(content: JsonObject) -> str:
    return str((content.get("transient") or {}).get("display_id") or "")


def _size(value: Any) -> int:
    """About how many characters of JSON it is."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + _size(entry) for key, entry in value.items())
    if isinstance(value, (list, tuple)):
        return sum(map(_size, value))
    return 8
