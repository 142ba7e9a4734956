"""What one cell of the copilot shows: clean, without keys and passwords, and kept as a notebook keeps it."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TypeAlias

from qdash_jupyter.cells.output_accumulator import OutputAccumulator
from qdash_jupyter.cells.shown import shown
from qdash_jupyter.config.mask import MaskedStream, masked
from qdash_jupyter.domain.answer import JsonObject

Show: TypeAlias = Callable[[str, JsonObject], None]
"""Gets the type and the content of a kernel's message."""


class KeptOutput(OutputAccumulator):
    """The outputs of one cell, of messages that may be forged. From any thread."""

    def __init__(self, show: Show | None = None) -> None:
        """Nothing has come yet. `show` hears of each message that may be shown, as it comes."""
        super().__init__()
        self._tell = show
        self._order = RLock()
        self._streams: dict[str, MaskedStream] = {}

    def hear(self, kind: str, content: JsonObject) -> None:
        """A message; one that is not what its type says is dropped."""
        clean: JsonObject | None = (
            {"wait": content.get("wait") is True} if kind == "clear_output" else _clean(kind, content)
        )
        if clean is None:
            return
        with self._order:
            if kind == "stream":
                # Keys come in parts: the end of a text that may be the beginning of one waits for what follows.
                self._tell_rest(besides=clean["name"])
                clean["text"] = self._streams.setdefault(clean["name"], MaskedStream()).add(clean["text"])
                if clean["text"]:
                    self._keep(kind, clean)
                return
            if kind != "update_display_data":
                self._tell_rest()
            self._keep(kind, masked(clean))

    def outputs(self) -> tuple[JsonObject, ...]:
        """What there is to see now; nothing waits any more."""
        with self._order:
            self._tell_rest()
        return super().outputs()

    def _tell_rest(self, besides: str = "") -> None:
        """What was kept back of the streams stands before what comes now."""
        for name in [name for name in self._streams if name != besides]:
            if text := self._streams.pop(name).rest():
                self._keep("stream", {"name": name, "text": text})

    def _keep(self, kind: str, content: JsonObject) -> None:
        self.add(kind, content)
        if self._tell is not None:
            self._tell(kind, content)


def _clean(kind: str, content: JsonObject) -> JsonObject | None:
    """The content of a message, if it is what its type says, without what a page would execute."""
    clean = shown({**content, "output_type": "display_data" if kind == "update_display_data" else kind})
    if clean is None:
        return None
    del clean["output_type"]
    transient = content.get("transient")
    display_id = transient.get("display_id") if isinstance(transient, dict) else None
    if kind in {"display_data", "update_display_data"}:
        clean["transient"] = {"display_id": display_id} if isinstance(display_id, str) else {}
    return clean
