"""The service imports nothing of a kernel's session, and leaves nothing behind when a question has ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

OF_A_KERNEL = ("IPython", "ipykernel", "ipywidgets", "anywidget", "comm", "qdash_jupyter.ui")

PROGRAM = """
import asyncio, json, sys, threading
from qdash_jupyter.server.requests import ChatRequest
from qdash_jupyter.server.service import CopilotService
from qdash_jupyter.server.stream import ChatStream

HISTORY = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Show T1 of Q3 over time"},
    {"role": "assistant", "content": "T1 is **fine**."},
]

async def asked(service, message):
    past = HISTORY if message.startswith("And") else []
    stream = ChatStream(service, ChatRequest(message=message, conversation_history=past), "ada")
    return [text async for text in stream.events()]

async def main():
    service = CopilotService({"database": {"snapshot": sys.argv[1]}})
    last = (await asked(service, "And of Q5?"))[-1]
    counts = []
    for rounds in (2, 4):
        for _ in range(rounds):
            await asked(service, "Which chips are there?")
        inside = asyncio.run_coroutine_threadsafe(tasks(), service._loop._started())
        counts.append([len(asyncio.all_tasks()), await asyncio.wrap_future(inside), len(service.streams)])
    await service.close()
    return {"last": last, "counts": counts, "modules": sorted(sys.modules)}

async def tasks():
    return len(asyncio.all_tasks())

print(json.dumps(asyncio.run(main())))
"""


@pytest.mark.long
def test_no_shell_is_needed_and_no_task_is_left(snapshot: Path) -> None:
    """A process that starts cold, and a worker, in which the first of seven questions has code run: four seconds."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(snapshot)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["last"].startswith("event: result")
    assert "T1 of Q05" in found["last"]  # it follows a history, as a model does
    assert "offline planner" in found["last"]
    assert not [name for name in found["modules"] if name.startswith(OF_A_KERNEL)]
    few, many = found["counts"]
    assert few == many == [1, 1, 0]
