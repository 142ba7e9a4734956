"""Writes a conversation's log on a thread of its own, line by line."""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from threading import Lock, Thread

from qdash_jupyter.config.disk import reason
from qdash_jupyter.config.mask import masked_line
from qdash_jupyter.domain.answer import Block, ChartBlock, TextBlock
from qdash_jupyter.domain.events import AnswerReady, ReasoningDelta, StampedEvent, TextDelta, ToolFinished
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.session.codec import Encoder, as_bytes
from qdash_jupyter.session.jsonl import FileInUse, LineFile
from qdash_jupyter.session.records import Record

TEXT_S = 1.0
"""How long streamed text may wait for more of it."""

LONGEST_LINE = 8_000_000

_CLOSE_S = 5

logger = logging.getLogger("qdash_jupyter")


class Writer:
    """Appends records to a file that is opened with the first of them. A disk that fails is no reason to fail."""

    def __init__(self, opened: Callable[[], LineFile], failed: Callable[[Text], None]) -> None:
        """`opened` gives the file; `failed` is told why nothing more is written. Both are called on the thread."""
        self._opened = opened
        self._failed = failed
        self._encoder = Encoder()
        self._file: LineFile | None = None
        self._text: list[StampedEvent] = []
        self._broken = False
        self._lock = Lock()
        self._records: queue.SimpleQueue[Record | None] = queue.SimpleQueue()
        self._thread: Thread | None = None  # the one that runs, or ran last
        self._closed = True

    def take_over(self, file: LineFile) -> None:
        """Go on in this file, which is open already. Before anything is put."""
        self._file = file

    def put(self, record: Record) -> None:
        """Write the record, soon. Streamed text waits up to a second for more of it; reasoning is not kept."""
        with self._lock:
            if self._closed:
                self._closed = False
                self._thread = Thread(target=self._work, args=(self._thread,), name="qdash-journal", daemon=True)
                self._thread.start()
            self._records.put(record)

    def close(self) -> None:
        """Write what there is and let go of the file. A record put afterwards opens it again."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._records.put(None)
            if self._thread is None:
                self._let_go()
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_S)

    def line(self, record: Record) -> bytes:
        """The record as it stands in the log."""
        known = set(self._encoder.charts)
        line = as_bytes(self._encoder.encode(record))
        if len(line) > LONGEST_LINE and isinstance(record, StampedEvent):
            self._encoder.charts = known
            line = as_bytes(self._encoder.encode(_lightened(record)))
        return masked_line(line) + b"\n"

    def _work(self, before: Thread | None) -> None:
        if before is not None:
            before.join()
        due = 0.0
        while True:
            try:
                record = self._records.get(timeout=max(0.0, due - time.monotonic()) if self._text else None)
            except queue.Empty:
                self._write_text()
                continue
            event = record.event if isinstance(record, StampedEvent) else None
            if isinstance(event, ReasoningDelta):
                continue
            if isinstance(record, StampedEvent) and isinstance(event, TextDelta):
                due = due if self._text else time.monotonic() + TEXT_S
                self._text.append(record)
                continue
            self._write_text()
            if record is None:
                self._let_go()
                return
            self._write(record)

    def _write_text(self) -> None:
        if self._text:
            words = "".join(stamped.event.text for stamped in self._text if isinstance(stamped.event, TextDelta))
            self._write(replace(self._text[-1], event=TextDelta(words)))
            self._text.clear()

    def _write(self, record: Record) -> None:
        if self._broken:
            return
        try:
            if self._file is None:
                self._file = self._opened()
            self._file.append(self.line(record))
        except FileInUse:
            self._give_up(Message("log-taken-up"))
        except OSError as error:
            self._give_up(reason(error))
        except Exception:
            # A mistake of ours about one record: the others are worth keeping.
            logger.exception("A line of the conversation's log could not be written")

    def _give_up(self, why: Text) -> None:
        self._broken = True
        self._let_go()
        self._failed(why)

    def _let_go(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


def _lightened(stamped: StampedEvent) -> StampedEvent:
    """Without what makes an event large: outputs that the notebook holds too, and charts."""
    event = stamped.event
    if isinstance(event, ToolFinished):
        result = event.result
        run = result.cell and replace(result.cell, outputs=(), charts=())
        return replace(stamped, event=replace(event, result=replace(result, cell=run, blocks=_lighter(result.blocks))))
    if isinstance(event, AnswerReady):
        return replace(stamped, event=AnswerReady(replace(event.answer, blocks=_lighter(event.answer.blocks))))
    return stamped


def _lighter(blocks: Iterable[Block]) -> tuple[Block, ...]:
    lost = TextBlock(Message("chart-not-kept").of(reader()))
    return tuple(lost if isinstance(block, ChartBlock) else block for block in blocks)
