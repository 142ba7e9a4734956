"""What the cells of this kernel publish, kept for the cells of the copilot."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.fold import OutputFold
from qdash_jupyter.domain.answer import JsonObject

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.cells.gate import InterruptGate

logger = logging.getLogger("qdash_jupyter")


class OutputTee:
    """Looks at every message that the kernel sends, on whichever thread, and files it by the request it belongs to.

    It sits where all of them pass, in the session's `send`, and stays there as long as the extension is loaded.
    ipykernel has hooks for streams and displays, too: they are a list for each thread, so displays of a cell's own
    threads would be missed; tracebacks pass none of them; and a hook of the streams that is put there cell by cell
    loses the first print.
    """

    def __init__(self, session: Any) -> None:
        """Of the kernel's session."""
        self._session = session
        self._main = threading.main_thread().ident
        self._folds: dict[str, OutputFold] = {}
        self._gate: InterruptGate | None = None
        self._streams = (sys.stdout, sys.stderr)
        self._send = session.send
        self._tap = self._sent
        session.send = self._tap

    @classmethod
    def on(cls, shell: InteractiveShell) -> OutputTee | None:
        """The tee of a shell that belongs to a kernel; None elsewhere."""
        session = getattr(getattr(shell, "kernel", None), "session", None)
        return None if session is None else cls(session)

    def close(self) -> None:
        """Take it away. Should somebody else sit on top by now, it lets everything pass from here on."""
        self._folds.clear()
        if vars(self._session).get("send") is self._tap:
            del self._session.send

    def begin(self, message_id: str, gate: InterruptGate) -> OutputFold:
        """Keep what belongs to this request from now on; interrupts of its cell come through the gate."""
        fold = self._folds[message_id] = OutputFold()
        self._gate = gate
        return fold

    def end(self, message_id: str) -> None:
        """Send what is still on its way, and keep no more."""
        for stream in {*self._streams, sys.stdout, sys.stderr}:
            with contextlib.suppress(Exception):  # the person may have put anything in the place of a stream
                stream.flush()
        self._folds.pop(message_id, None)
        self._gate = None

    def _sent(self, *args: Any, **kwargs: Any) -> Any:
        gate = self._gate
        if gate is None or threading.get_ident() != self._main:
            return self._sent_and_kept(*args, **kwargs)
        gate.hold()  # an interrupt in between: what the notebook shows would be missing here
        try:
            return self._sent_and_kept(*args, **kwargs)
        finally:
            gate.release()

    def _sent_and_kept(self, *args: Any, **kwargs: Any) -> Any:
        message = self._send(*args, **kwargs)
        if self._folds and message is not None:
            try:
                self._keep(message)
            except Exception:
                logger.exception("A message of the kernel could not be kept")
        return message

    def _keep(self, message: JsonObject) -> None:
        fold = self._folds.get(message["parent_header"].get("msg_id", ""))
        if fold is None:
            return
        content = message["content"]
        if any(type(value) is not str for value in content.get("data", {}).values()):
            # JSON that code of the cell may hold, and change later: as the client gets it.
            content = self._session.unpack(self._session.pack(content))
        fold.add(message["msg_type"], content)
