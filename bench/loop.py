"""What the agent's loop costs beside the bare async OpenAI SDK and the runner of openai-agents, in turns in one pass.

All ask the same scripted server, in a process of its own. Goals: a round takes at most 0.4 of the SDK's at 1 call and
0.25 at 5 (the SDK walks through `input`, item by item), and 0.10 and 0.06 without what the way out and in takes, which
is the SDK's as well (`wire`); a request of 400 items at most twice one of 2; four reads of 200 ms at most 240 ms.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from types import FunctionType, ModuleType

import openai
from runners import Runner, Seen, runners, user_message

from qdash_jupyter.domain.answer import JsonObject
from tests.scripted_server import Call, Raw, Script, ScriptedServer, Thought, reply_turn, text_turn
from tests.scripted_server.turns import sse

ROUNDS = 8
QUESTIONS = 8
SIZES = (2, 20, 100, 400)
REQUESTS = 10
CONVERSATION = 100
READS, READ_S, READINGS = 4, 0.2, 5
WORDS = " ".join(["Some qubits lost T1."] * 10)
"""Without a blank at its end: models write none, and it would be cut off in a second copy."""

Times = dict[str, list[float]]
"""Values by runner."""


@cache
def calling(calls: int, number: int, seconds: float) -> Script:
    """A reply that calls a tool so many times, as no other reply of its question does, with a thought before."""
    made = [
        Call("echo", {"text": f"{number} {index}", "seconds": seconds}, f"c{number}_{index}") for index in range(calls)
    ]
    return written(reply_turn(Thought("gAAAA" + "x" * 400), *made))


@cache
def saying(pieces: int) -> Script:
    """An answer."""
    return written(text_turn(WORDS, pieces=pieces))


def written(script: Script) -> Script:
    """The same with its events written out, so that the server takes next to no time."""
    events = [step for step in script.steps if isinstance(step, openai.BaseModel)]
    lines = (sse(str(getattr(e, "type", "")), e.model_dump_json(by_alias=True, exclude_unset=True)) for e in events)
    return Script(tuple(map(Raw, lines)))


def reply_to(body: JsonObject) -> Script:
    """What the last question asks for: so many rounds of so many calls, then an answer."""
    items = body["input"]
    asked = max(place for place, item in enumerate(items) if item.get("role") == "user")
    rounds, calls, seconds = json.loads(items[asked]["content"][0]["text"])
    done = sum(item["type"] == "function_call_output" for item in items[asked:])
    return calling(calls, done // calls, seconds) if done < rounds * calls else saying(20)


def question(rounds: int, calls: int, seconds: float = 0) -> str:
    """The question for `reply_to`."""
    return json.dumps([rounds, calls, seconds])


@contextmanager
def server() -> Iterator[str]:
    """The base URL of a scripted server in a process of its own, which does not hold up the measured one."""
    with subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def serve() -> None:
    """Be that server."""
    with ScriptedServer([reply_to] * 100_000) as made:
        print(made.base_url, flush=True)
        threading.Event().wait()


async def timed(
    made: dict[str, Runner], words: str, times: int, earlier: Sequence[JsonObject] = ()
) -> dict[str, list[Seen]]:
    """What each runner saw of a question after these items, asked in turns; one more to warm up does not count."""
    seen: dict[str, list[Seen]] = {name: [] for name in made}
    for number in range(times + 1):
        for name, runner in made.items():
            runner.begin(earlier)
            begin = time.perf_counter()
            one = await runner.ask(words)
            if number:
                seen[name].append([("asked", begin), *one, ("done", time.perf_counter())])
    return seen


def between(seen: Seen, first: str, last: str) -> float:
    """Ms from the first event of one kind to the last of another; of deltas the first counts."""
    ends = [at for kind, at in seen if kind == last]
    return ((min(ends) if last == "TextDelta" else max(ends)) - min(at for kind, at in seen if kind == first)) * 1e3


def rounds_of(seen: Seen) -> list[float]:
    """Ms of each round: from asking the model to asking it again, its tools included."""
    asked = [at for kind, at in seen if kind == "thinking"]
    return [(end - start) * 1e3 for start, end in pairwise(asked)]


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return sorted(values)[max(0, -(-95 * len(values) // 100) - 1)]


def show(name: str, times: Times, goal: float | None = None) -> None:
    """A line: p50 and p95 of each runner in ms, and the ratios of our p50 to the others'; a goal is the first one's."""
    medians = {runner: statistics.median(values) for runner, values in times.items()}
    columns = "".join(f"{medians[runner]:>9.2f}{p95(values):>9.2f}" for runner, values in times.items())
    ratios = [medians["ours"] / value for runner, value in medians.items() if runner != "ours"]
    print(f"{name:<34}{columns}" + "".join(f"{ratio:>9.2f}" for ratio in ratios) + verdict(ratios[0], goal), flush=True)


def verdict(value: float, goal: float | None) -> str:
    """Whether a goal is met."""
    return "" if goal is None else f"   goal {goal:g}: {'met' if value <= goal else 'NOT met'}"


async def measure(base_url: str) -> None:
    """All of it in one pass."""
    made = runners(base_url)
    head = "".join(f"{name:>9}{'p95':>9}" for name in made) + "".join(f"{'/ ' + n:>9}" for n in made if n != "ours")
    print(f"{'ms':<34}{head}")
    for calls, goal, own_goal in ((1, 0.4, 0.10), (5, 0.25, 0.06)):
        seen = await timed(made, question(ROUNDS, calls), QUESTIONS)
        times = {name: [ms for one in all_of for ms in rounds_of(one)] for name, all_of in seen.items()}
        show(f"round of {calls} call{'s' if calls > 1 else ''}", times, goal)
        medians = {name: statistics.median(values) for name, values in times.items()}
        own = (medians["ours"] - medians["wire"]) / medians["SDK"]
        print(f"  own, without the wire: {own:.3f} of the SDK's{verdict(own, own_goal)}")
    await made.pop("wire").close()
    ends: dict[int, Times] = {}
    for size in SIZES:
        seen = await timed(made, question(0, 0), REQUESTS, conversation(size)[1 - size :])
        for kind, last in (("first delta", "TextDelta"), ("answer", "done")):
            ends[size] = {name: [between(one, "asked", last) for one in all_of] for name, all_of in seen.items()}
            show(f"{size} items: question to {kind}", ends[size])
    for name in made:
        growth = statistics.median(ends[SIZES[-1]][name]) / statistics.median(ends[SIZES[0]][name])
        print(
            f"  {name}, {SIZES[-1]} items over {SIZES[0]}: {growth:.2f}{verdict(growth, 2 if name == 'ours' else None)}"
        )
    seen = await timed(made, question(1, READS, READ_S), READINGS)
    times = {name: [between(one, "ToolStarted", "ToolFinished") for one in all_of] for name, all_of in seen.items()}
    show(f"{READS} reads of {READ_S * 1e3:g} ms", times)
    print(f"  ours, in ms{verdict(statistics.median(times['ours']), 240)}")
    await memory(made)
    for runner in made.values():
        await runner.close()


def conversation(size: int) -> list[JsonObject]:
    """At least so many items as they come: question, call, output, answer."""
    items: list[JsonObject] = []
    for number in range(-(-size // 4)):
        call_id = f"call_{number}"
        said = {"type": "output_text", "text": WORDS, "annotations": []}
        items += [
            user_message(question(0, 0)),
            {"type": "function_call", "call_id": call_id, "name": "echo", "arguments": '{"text": "a"}'},
            {"type": "function_call_output", "call_id": call_id, "output": '{"said": "' + "a" * 400 + '"}'},
            {"type": "message", "id": f"m{number}", "role": "assistant", "status": "completed", "content": [said]},
        ]
    return items


async def memory(made: dict[str, Runner]) -> None:
    """What a conversation of 100 questions of one call each keeps in the process."""
    kept: dict[str, float] = {}
    for name, runner in made.items():
        runner.begin()
        for _ in range(CONVERSATION):
            await runner.ask(question(1, 1))
        kept[name] = size_of(runner.kept) / 1e6
    sizes = ", ".join(f"{name} {size:.2f} MB" for name, size in kept.items())
    ratios = ", ".join(f"{kept['ours'] / size:.2f} of {name}" for name, size in kept.items() if name != "ours")
    print(f"a conversation of {CONVERSATION} questions keeps: {sizes}; ours is {ratios}")


def size_of(kept: object) -> int:
    """Bytes of a value and of all that it leads to, classes and code apart."""
    seen: dict[int, object] = {}
    waiting = [kept]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and not isinstance(one, (type, ModuleType, FunctionType)):
            seen[id(one)] = one
            waiting.extend(gc.get_referents(one))
            waiting.extend(one if isinstance(one, dict) else ())  # keys of text are not among the referents
    return sum(map(sys.getsizeof, seen.values()))


def main() -> None:
    """Print the table."""
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{os.cpu_count()} cores, load {load}, Python {platform.python_version()}, openai {openai.__version__}")
    with server() as base_url:
        asyncio.run(measure(base_url))


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
