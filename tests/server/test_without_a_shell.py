"""The service imports nothing of a kernel's session, and leaves nothing behind when a question has ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

OF_A_KERNEL = ("IPython", "ipykernel", "ipywidgets", "anywidget", "comm", "qdash_jupyter.ui")

PROGRAM = """
import asyncio, json, sys, threading
from qdash_jupyter.server.requests import ChatRequest
from qdash_jupyter.server.service import CopilotService
from qdash_jupyter.server.stream import ChatStream

async def asked(service, message):
    stream = ChatStream(service, ChatRequest(message=message), "ada")
    return [text async for text in stream.events()]

async def main():
    service = CopilotService({"database": {"snapshot": sys.argv[1]}})
    last = (await asked(service, "Which qubits lost T1 in the last 30 days?"))[-1]
    counts = []
    for rounds in (3, 10):
        for _ in range(rounds):
            await asked(service, "How is Q3?")
        inside = asyncio.run_coroutine_threadsafe(tasks(), service._loop._started())
        counts.append([len(asyncio.all_tasks()), await asyncio.wrap_future(inside), len(service.streams)])
    await service.close()
    return {"last": last, "counts": counts, "modules": sorted(sys.modules)}

async def tasks():
    return len(asyncio.all_tasks())

print(json.dumps(asyncio.run(main())))
"""


def test_no_shell_is_needed_and_no_task_is_left(snapshot: Path) -> None:
    """Fourteen questions, the first of which has code run in the worker: some three seconds."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(snapshot)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["last"].startswith("event: result")
    assert "offline planner" in found["last"]
    assert not [name for name in found["modules"] if name.startswith(OF_A_KERNEL)]
    few, many = found["counts"]
    assert few == many == [1, 1, 0]
