"""The outputs of a cell from the kernel's messages, as JupyterLab's notebook model keeps them."""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qdash_jupyter.domain.answer import JsonObject

MOST_CHARS = 10_000_000
"""How many characters of one cell's outputs are kept; what comes beyond is counted."""

_MOVES = re.compile(r"([\n\r\b])")


class OutputAccumulator:
    """Takes the messages of one cell one by one, from any thread; keeps what the cell shows after the last of them."""

    def __init__(self, most: int = MOST_CHARS) -> None:
        self._most = most
        self._lock = Lock()
        self._clear_next = False
        self._kept: list[_Printed | _Shown] = []
        self._stream: _Printed | None = None
        self._by_display: dict[str, list[_Shown]] = {}
        self._left_out = 0
        self._room = most

    def add(self, kind: str, content: JsonObject) -> None:
        """One message: its type, and its content as a client gets it."""
        with self._lock:
            if kind == "clear_output":
                self._stream = None
                self._clear_next = bool(content["wait"])
                if not self._clear_next:
                    self._clear()
            elif kind == "update_display_data":
                self._update(content)
            elif kind in _OUTPUTS:
                if self._clear_next:
                    self._clear_next = False
                    self._clear()
                if kind == "stream":
                    self._print(content["name"], content["text"])
                else:
                    self._show(kind, content)

    def outputs(self) -> tuple[JsonObject, ...]:
        """What there is to see now, as nbformat outputs. Says so at the end, should something have been left out."""
        with self._lock:
            outputs = [kept.output() for kept in self._kept]
            if self._left_out:
                text = f"… {self._left_out:,} more characters of output are in the notebook's cell only.\n"
                outputs.append({"output_type": "stream", "name": "stderr", "text": text})
        return tuple(outputs)

    def _clear(self) -> None:
        self._kept, self._stream, self._by_display = [], None, {}
        self._left_out, self._room = 0, self._most

    def _print(self, name: str, text: str) -> None:
        if self._stream is None or self._stream.name != name:
            self._stream = _Printed(name)
            self._kept.append(self._stream)
        before = self._stream.size
        self._stream.write(text)
        grown = self._stream.size - before
        if grown > self._room:
            self._left_out += grown - self._room
            self._stream.cut(grown - self._room)
        self._room -= self._stream.size - before

    def _show(self, kind: str, content: JsonObject) -> None:
        self._stream = None
        display_id = _display_id(content) if kind == "display_data" else None
        if display_id is not None:
            self._update(content)  # a display that is shown again changes where it was shown before, too
        fields = {key: value for key, value in content.items() if key != "transient"}
        shown = _Shown({"output_type": kind, **fields})
        if kind != "error" and shown.size > self._room:
            self._left_out += shown.size
            return
        self._kept.append(shown)
        self._room -= shown.size
        if display_id is not None:
            self._by_display.setdefault(display_id, []).append(shown)

    def _update(self, content: JsonObject) -> None:
        for shown in self._by_display.get(_display_id(content) or "", ()):
            self._room += shown.size
            shown.replace(content)
            if shown.size > self._room:
                self._left_out += shown.size
                shown.replace({"data": {}, "metadata": {}})
            self._room -= shown.size


class _Printed:
    """One stream output, with a cursor that a carriage return or a backspace moves within the last line."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lines: list[str] = []
        self._last = ""
        self._at = 0
        self._above = 0

    @property
    def size(self) -> int:
        return self._above + len(self._last)

    def write(self, text: str) -> None:
        if self._at == len(self._last) and "\r" not in text and "\b" not in text:
            above, end, text = text.rpartition("\n")
            if end:
                self._lines.append(f"{self._last}{above}\n")
                self._above += len(self._lines[-1])
                self._last = ""
            self._last += text
            self._at = len(self._last)
            return
        for part in _MOVES.split(text):
            if part == "\n":
                self._lines.append(f"{self._last}\n")
                self._above += len(self._last) + 1
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

    def cut(self, count: int) -> None:
        """Take characters away from the end."""
        while count > len(self._last) and self._lines:
            count -= len(self._last)
            self._last = self._lines.pop()
            self._above -= len(self._last)
        self._last = self._last[: len(self._last) - count]
        self._at = len(self._last)

    def output(self) -> JsonObject:
        return {"output_type": "stream", "name": self.name, "text": "".join(self._lines) + self._last}


class _Shown:
    """One output that is no stream."""

    def __init__(self, output: JsonObject) -> None:
        self._output = output
        self.size = _size(output)

    def replace(self, content: JsonObject) -> None:
        self._output = {"output_type": "display_data", "data": content["data"], "metadata": content["metadata"]}
        self.size = _size(self._output)

    def output(self) -> JsonObject:
        return self._output


_OUTPUTS = ("stream", "display_data", "execute_result", "error")


def _display_id(content: JsonObject) -> str | None:
    display_id: str | None = (content.get("transient") or {}).get("display_id")
    return display_id


def _size(value: Any) -> int:
    """About how many characters of JSON it is."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + _size(entry) for key, entry in value.items())
    if isinstance(value, (list, tuple)):
        return sum(map(_size, value))
    return 8
