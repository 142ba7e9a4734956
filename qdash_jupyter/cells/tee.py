"""What the cells of this kernel publish, kept for the cells of the copilot."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.kept_output import SHOWING, KeptOutput
from qdash_jupyter.domain.answer import JsonObject

if TYPE_CHECKING:
    from qdash_jupyter.cells.interrupt import InterruptGate

logger = logging.getLogger("qdash_jupyter")


class OutputTee:
    """Looks at every message that the kernel sends, on whichever thread, and files it by the request it belongs to.
    What cells of the copilot show leaves without keys and passwords, and without what a page would execute.

    It sits where all of them pass, in the session's `send`, and stays there as long as the extension is loaded.
    ipykernel has hooks for streams and displays, too: they are a list for each thread, so displays of a cell's own
    threads would be missed; tracebacks pass none of them; and a hook of the streams that is put there cell by cell
    loses the first print.
    """

    def __init__(self, session: Any) -> None:
        """Of the kernel's session; None where there is no kernel, and nothing to see."""
        self._session = session
        self._main = threading.main_thread().ident
        self._kept: dict[str, KeptOutput] = {}
        self._gate: InterruptGate | None = None
        self._streams = (sys.stdout, sys.stderr)
        self._tap = self._sent
        if session is not None:
            self._send = session.send
            session.send = self._tap

    def close(self) -> None:
        """Take it away. Should somebody else sit on top by now, it lets everything pass from here on."""
        self._kept.clear()
        if self._session is not None and vars(self._session).get("send") is self._tap:
            del self._session.send

    def begin(self, message_id: str, gate: InterruptGate) -> None:
        """Keep what belongs to this request from now on; interrupts of its cell come through the gate."""
        self._kept[message_id] = KeptOutput()
        self._gate = gate

    def end(self, message_id: str) -> tuple[JsonObject, ...]:
        """Send what is still on its way, and keep no more: this is what there is."""
        for stream in {*self._streams, sys.stdout, sys.stderr}:
            with contextlib.suppress(Exception):  # the user may have put anything in the place of a stream
                stream.flush()
        if (kept := self._kept.get(message_id)) is not None:
            self._send_rest(kept)
        self._gate = None
        self._kept.pop(message_id, None)
        return () if kept is None else kept.outputs()

    def _sent(
        self, channel: Any, message_or_type: Any, content: Any = None, parent: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        gate = self._gate if threading.get_ident() == self._main else None
        # An interrupt in between: what the notebook shows would be missing here.
        with contextlib.nullcontext() if gate is None else gate.held():
            is_whole = isinstance(message_or_type, dict)
            above = message_or_type["parent_header"] if is_whole else parent
            header = above.get("header", above) if isinstance(above, dict) else {"msg_id": above}
            kind = message_or_type["header"]["msg_type"] if is_whole else message_or_type
            kept = self._kept.get(header.get("msg_id", ""))
            if kept is None or kind not in SHOWING:
                return self._send(channel, message_or_type, content, parent, *args, **kwargs)
            from qdash_jupyter.cells.shown import shown_message  # heavier than all of `%load_ext`

            content = shown_message(kind, message_or_type["content"] if is_whole else content)
            if content is None:
                return None
            with kept.lock:
                if kept.interrupts_a_stream(kind, content):
                    self._send_rest(kept)
                content = kept.masked(kind, content, (channel, above, args, kwargs))
                if content is None:
                    return None
                message_or_type = {**message_or_type, "content": content} if is_whole else kind
                message = self._send(channel, message_or_type, content, parent, *args, **kwargs)
                self._keep(kept, message)
                return message

    def _send_rest(self, kept: KeptOutput) -> None:
        """What was kept back of its streams."""
        with kept.lock:
            for content, (channel, above, args, kwargs) in kept.rest():
                self._keep(kept, self._send(channel, "stream", content, above, *args, **kwargs))

    def _keep(self, kept: KeptOutput, message: JsonObject | None) -> None:
        if message is None:
            return
        content = message["content"]
        try:
            if any(type(value) is not str for value in content.get("data", {}).values()):
                # JSON that code of the cell may hold, and change later: as the client gets it.
                content = self._session.unpack(self._session.pack(content))
            kept.add(message["msg_type"], content)
        except Exception:
            logger.exception("A message of the kernel could not be kept")
