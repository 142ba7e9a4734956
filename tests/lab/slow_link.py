"""A network between browser and server that is slow, and sometimes gone: a TCP proxy on a port of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.patience import PATIENCE_S

CHUNK = 64 * 1024


@dataclass
class SlowLink:
    """Each byte arrives `delay_s` later than it was sent, in both directions."""

    to_port: int
    delay_s: float = 0.0
    port: int = 0
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _open: set[asyncio.StreamWriter] = field(default_factory=set)
    _down: bool = False

    def cut(self) -> None:
        """Every connection breaks, and no new one comes through until `mend`."""
        self._loop.call_soon_threadsafe(self._cut)

    def mend(self) -> None:
        """The network is back."""
        self._loop.call_soon_threadsafe(self._mend)

    def _mend(self) -> None:
        self._down = False

    def _cut(self) -> None:
        self._down = True
        for writer in self._open:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = [writer]
        try:
            if self._down:
                return
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.to_port)
            ends.append(there_writer)
            self._open.update(ends)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass(reader, there_writer))
                both.create_task(self._pass(there_reader, writer))
        except* OSError:
            pass  # broken at one end: nobody hears from the other either
        except* asyncio.CancelledError:
            pass  # the test is over; the stream server reports a task that says so as a failure
        finally:
            self._open.difference_update(ends)
            for end in ends:
                end.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Delays without slowing down: what is on its way is in the queue, each piece with its time of arrival."""
        on_its_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def arrive() -> None:
            while True:
                at, piece = await on_its_way.get()
                await asyncio.sleep(max(0, at - self._loop.time()))
                if not piece:
                    break
                target.write(piece)
                await target.drain()
            target.close()

        arriving = asyncio.ensure_future(arrive())
        try:
            while True:
                piece = await source.read(CHUNK)
                on_its_way.put_nowait((self._loop.time() + self.delay_s, piece))
                if not piece:
                    break
            await arriving
        finally:
            arriving.cancel()


@contextmanager
def slow_link(to_port: int) -> Iterator[SlowLink]:
    """The proxy, running, and quick until its `delay_s` is set."""
    link = SlowLink(to_port)
    loop = link._loop
    thread = threading.Thread(target=loop.run_forever, name="slow-link", daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(link._connected, "127.0.0.1", 0), loop).result(5)
    link.port = server.sockets[0].getsockname()[1]
    try:
        yield link
    finally:
        link.cut()

        async def end() -> None:
            server.close()
            await asyncio.sleep(0.1)  # a task that is cancelled before it begins would leave its socket open
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            await asyncio.sleep(0.1)  # aborted connections close their sockets in the loop's next rounds

        asyncio.run_coroutine_threadsafe(end(), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()
