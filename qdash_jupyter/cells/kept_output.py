"""What one cell of the copilot shows, without keys and passwords, though they come in parts."""

from __future__ import annotations

from collections.abc import Iterator
from threading import RLock
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.output_accumulator import OutputAccumulator
from qdash_jupyter.domain.answer import JsonObject

if TYPE_CHECKING:
    from qdash_jupyter.config.mask import MaskedStream

SHOWING = {"stream", "display_data", "update_display_data", "execute_result", "error", "clear_output"}

Sent = tuple[Any, Any, Any, Any]
"""How the last bit of a stream was sent, and the rest of it will be: the channel, the parent, other arguments."""


class KeptOutput(OutputAccumulator):
    """The outputs of one cell; messages are masked on their way out, and then added. `lock` keeps their order."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        super().__init__()
        self.lock = RLock()
        self._streams: dict[str, tuple[MaskedStream, Sent]] = {}

    def interrupts_a_stream(self, kind: str, content: JsonObject) -> bool:
        """Whether it is shown behind what a stream kept back, which has to be sent before it."""
        return kind != "update_display_data" and bool(self._streams.keys() - {content.get("name")})

    def masked(self, kind: str, content: JsonObject, sent: Sent) -> JsonObject | None:
        """The content of a message to send in its place; None where nothing of it can be shown yet."""
        from qdash_jupyter.config.mask import MaskedStream, masked  # as heavy as all of `%load_ext`

        if kind != "stream" or not content.keys() >= {"name", "text"}:
            return masked(content)  # type: ignore[no-any-return]  # as it came
        name = content["name"]
        stream = self._streams[name][0] if name in self._streams else MaskedStream()
        self._streams[name] = stream, sent
        text = stream.add(content["text"])
        return {**content, "text": text} if text else None

    def rest(self) -> Iterator[tuple[JsonObject, Sent]]:
        """What was kept back of the streams, and how to send it."""
        while self._streams:
            name, (stream, sent) = self._streams.popitem()
            if text := stream.rest():
                yield {"name": name, "text": text}, sent
