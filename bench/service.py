"""What the service costs: until its first status, for each event, and with twenty streams at once.

Goals: the first status 100 ms after the request was sent; with twenty streams no event lost, and never a second without
a byte. Beside the first status: the same server's plainest answer, that there is no such session. Beside the events:
the OpenAI SDK, which reads the same stream of the same scripted model and does nothing with it. Beside the bridge: a
queue of asyncio, from which events are formatted by hand.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import openai
from in_lab import Row, Table, text_answer

from qdash_jupyter.server import SSETaskBridge
from tests.scripted_server import Pause, ScriptedServer, text_turn
from tests.server.served import Served, scripted, served
from tests.session.conversation import small_demo

ASKED, EVENTS, STREAMS, WORDS, BRIDGED = 30, 2_000, 20, 100, 10_000
NAMES = ("load_config", "run_chat", "thinking", "complete")


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name, ScriptedServer() as model:
        folder = Path(name)
        snapshot = small_demo(folder)
        with served(folder, "--snapshot", str(snapshot), settings=scripted(model.base_url)) as service:
            first_status(service, model)
            for_each_event(service, model)
            at_once(service, model)
    bridged()


def first_status(service: Served, model: ScriptedServer) -> None:
    """From sending a question to the bytes of its first event."""
    firsts, plain = [], []
    for _ in range(ASKED):
        model.add(text_turn("Fine."))
        with service.client() as client:
            client.get(f"{service.endpoint}/sessions/none")  # the connection is open
            began = time.perf_counter()
            client.get(f"{service.endpoint}/sessions/none")
            plain.append(1000 * (time.perf_counter() - began))
            began = time.perf_counter()
            with client.stream("POST", f"{service.endpoint}/chat/stream", json={"message": "How?"}) as answer:
                pieces = answer.iter_bytes()
                next(pieces)
                firsts.append(1000 * (time.perf_counter() - began))
                for _ in pieces:
                    pass
    table = Table("From a question to its first status")
    table.add(Row("the service", firsts, 100))
    table.add(Row("the same server, no such session", plain))


def for_each_event(service: Served, model: ScriptedServer) -> None:
    """A long answer in many deltas, as fast as the model's server sends them."""
    answer = text_answer("word " * EVENTS)
    ours, plain = [], []
    for _ in range(5):
        model.add(text_turn(answer, pieces=EVENTS), text_turn(answer, pieces=EVENTS))
        began = time.perf_counter()
        service.chat("How?", stream_deltas=True)
        ours.append(1e6 * (time.perf_counter() - began) / EVENTS)
        with openai.OpenAI(base_url=model.base_url, api_key="none") as client:
            began = time.perf_counter()
            for _ in client.responses.create(model="scripted", input="How?", stream=True):
                pass
            plain.append(1e6 * (time.perf_counter() - began) / EVENTS)
    table = Table(f"For each of {EVENTS:,} deltas of an answer, from the question to the result", "μs")
    table.add(Row("the service, with deltas", ours))
    table.add(Row("the OpenAI SDK alone", plain))


def bridged() -> None:
    """Events of a coroutine with QDash's callbacks, as fast as it tells them."""

    async def telling(*, on_tool_call: Any, on_status: Any) -> None:  # noqa: ARG001 - as it is called
        for _ in range(BRIDGED):
            await on_status("thinking")

    async def by_bridge() -> int:
        return sum([1 async for _ in SSETaskBridge().drain(telling)])

    async def by_hand() -> int:
        queue: asyncio.Queue[str | None] = asyncio.Queue()

        async def on_status(status: str) -> None:
            data = json.dumps({"step": status, "message": status})
            await queue.put(f"event: status\ndata: {data}\n\n")

        async def told() -> None:
            await telling(on_tool_call=None, on_status=on_status)
            await queue.put(None)

        task, seen = asyncio.create_task(told()), 0
        while (await asyncio.wait_for(queue.get(), 0.3)) is not None:
            seen += 1
        await task
        return seen

    times: dict[str, list[float]] = {"by_bridge": [], "by_hand": []}
    for _ in range(5):
        for way in (by_bridge, by_hand):
            began = time.perf_counter()
            asyncio.run(way())
            times[way.__name__].append(1e6 * (time.perf_counter() - began) / BRIDGED)
    table = Table(f"For each of {BRIDGED:,} events of a coroutine", "μs")
    table.add(Row("SSETaskBridge", times["by_bridge"]))
    table.add(Row("a queue and a format string", times["by_hand"]))


def at_once(service: Served, model: ScriptedServer) -> None:
    """Streams at once, each with a hundred words at reading speed."""
    answer = text_answer(" ".join(f"w{number}" for number in range(WORDS)))
    script = text_turn(answer, pieces=WORDS)
    model.add(*[script.slow(0.05).with_step(0, Pause(0.5))] * STREAMS)
    silences: list[float] = []
    complete: list[bool] = []

    def ask() -> None:
        body, last = "", time.perf_counter()
        request = {"message": "How?", "stream_deltas": True}
        with service.client() as client, client.stream("POST", f"{service.endpoint}/chat/stream", json=request) as got:
            for piece in got.iter_text():
                now = time.perf_counter()
                silences.append(1000 * (now - last))
                last, body = now, body + piece
        data = [json.loads(line[6:]) for line in body.split("\n") if line.startswith("data: ")]
        text = "".join(each["text"] for each in data if "text" in each)
        steps = [each["step"] for each in data if "step" in each]
        complete.append(text == data[-1]["blocks"][0]["content"] and steps == list(NAMES))

    threads = [threading.Thread(target=ask) for _ in range(STREAMS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table = Table(f"{STREAMS} streams at once: silence between two pieces")
    table.add(Row("the service", silences, 1000, max, f"; {sum(complete)} of {STREAMS} streams complete"))


if __name__ == "__main__":
    main()
