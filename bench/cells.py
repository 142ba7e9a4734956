"""How quickly an agent's cell begins and how quickly the agent hears of its end; and the plain ways beside it.

Goals: 60 ms from the agent's wish to the first line of the cell, which is in the notebook by then; 10 ms from its last
line until the agent goes on. The agent's cell runs in the session beside the kernel. The plain ways: the same code sent
straight to the kernel by a client, without a notebook; the same code run by a person with Shift+Enter.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

from in_lab import Bench, Panel, Row, Table, configured, expect, opened, text_answer
from jupyter_client.blocking.client import BlockingKernelClient

from tests.scripted_server import Script, call_turn, text_turn

ROUNDS = 15

CODE = """\
import pandas as pd
began = pd.Timestamp.now("UTC").timestamp()
total = sum(range(1000))
ended = pd.Timestamp.now("UTC").timestamp()
"""
PERSONS = CODE.replace("began", "person_began").replace("ended", "person_ended").replace("total", "person_total")

READ_TIMES = """\
import json
print(json.dumps({"began": began, "ended": ended, "events": [
    [type(each.event).__name__, getattr(each.event, "stage", ""), each.at.timestamp()]
    for each in copilot.turns[-1].events]}))
"""


def main() -> None:
    """Print the tables."""
    with opened() as bench:
        panel = Panel.start(bench.notebook, configured(bench.model.base_url))
        by_agent(bench, panel)
        agents = [by_agent(bench, panel) for _ in range(ROUNDS)]
        direct = straight(bench)
        by_hand = [by_person(bench) for _ in range(ROUNDS)]
    table = Table("From asking for a cell to its first line")
    begin = [each["asked to first line"] for each in agents]
    table.add(Row("agent's cell, inserted in the notebook", begin, 60))
    table.add(Row("person's Shift+Enter in the same notebook", by_hand))
    table.add(Row("plain way: client.execute, no notebook", [first for first, _ in direct]))
    print(f"ratio of the medians, agent's over Shift+Enter: {ratio(begin, by_hand):.2f}")
    table = Table("From the last line of a cell")
    end = [each["last line to going on"] for each in agents]
    table.add(Row("until the agent goes on", end, 10))
    table.add(Row("until its next request is at the model server", [each["last line to request"] for each in agents]))
    table.add(Row("plain way: until client.execute has its reply", [reply for _, reply in direct]))


def ratio(ours: list[float], plain: list[float]) -> float:
    """Of the medians."""
    return statistics.median(ours) / statistics.median(plain)


def by_agent(bench: Bench, panel: Panel) -> dict[str, float]:
    """One cell of the agent's, in milliseconds."""
    requested: list[float] = []

    def next_turn(_: dict[str, Any]) -> Script:
        requested.append(time.time())
        return text_turn(text_answer("Done."))

    bench.model.add(call_turn(("execute_python_analysis", {"code": CODE, "purpose": "Note times"})), next_turn)
    panel.answer("Run it")
    bench.page.wait_for_timeout(300)
    output = bench.notebook.run(READ_TIMES).locator(".jp-OutputArea-output")
    expect(output).to_contain_text("}")
    told = json.loads(output.inner_text())
    at = {(name, stage): when for name, stage, when in told["events"]}
    return {
        "asked to first line": 1000 * (told["began"] - at["ToolStarted", ""]),
        # The last event `thinking` or `complete` comes later: the tool's end is the first thing that the agent does.
        "last line to going on": 1000 * (at["ToolFinished", ""] - told["ended"]),
        "last line to request": 1000 * (requested[0] - told["ended"]),
    }


def by_person(bench: Bench) -> float:
    """Milliseconds from Shift+Enter to the first line."""
    output = bench.notebook.run(f"{PERSONS}print(person_began)").locator(".jp-OutputArea-output")
    expect(output).to_contain_text(".")
    return 1000 * (float(output.inner_text()) - bench.clicked)


def straight(bench: Bench) -> list[tuple[float, float]]:
    """Milliseconds from sending to the first line, and from the last line to the reply, of a client of the kernel."""
    runtime = bench.lab.folder.parent / "jupyter" / "runtime"
    client = BlockingKernelClient(connection_file=str(runtime / f"kernel-{bench.kernel_id}.json"))
    client.load_connection_file()
    client.start_channels()
    times = []
    for _ in range(ROUNDS + 1):
        sent = time.time()
        expressions = {"times": "[person_began, person_ended]"}
        reply = client.execute(PERSONS, user_expressions=expressions, reply=True, timeout=30)
        replied = time.time()
        began, ended = json.loads(reply["content"]["user_expressions"]["times"]["data"]["text/plain"])
        times.append((1000 * (began - sent), 1000 * (replied - ended)))
    client.stop_channels()
    return times[1:]


if __name__ == "__main__":
    main()
