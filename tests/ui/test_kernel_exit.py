"""A kernel that shuts down while the copilot is at work."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

from tests.patience import PATIENCE_S

pytestmark = pytest.mark.kernel

DELIMITER = b"<IDS|MSG>"
AT_WORK = """
import time
%load_ext qdash_jupyter
from IPython.display import publish_display_data
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.ui import magics

def show(words):
    publish_display_data({"text/plain": words * 50_000})

show("early ")

def work():
    time.sleep(0.5)
    show("late ")
    show("last ")

[app] = [loaded.app for loaded in magics._loaded.values()]
_ = app.loop.submit(in_background(work, "qdash-work"))
"""


@pytest.fixture
def running() -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    manager, client = start_new_kernel()
    manager.shutdown_wait_time = 60.0  # a busy machine has time to end in order
    yield manager, client
    client.stop_channels()
    if manager.is_alive():
        manager.shutdown_kernel(now=True)
    manager.cleanup_resources()


def test_its_last_messages_are_whole(running: tuple[KernelManager, BlockingKernelClient]) -> None:
    manager, client = running
    with zmq.Context() as context, context.socket(zmq.SUB) as told:
        told.setsockopt(zmq.SUBSCRIBE, b"")
        told.connect(f"tcp://{manager.ip}:{manager.iopub_port}")
        while not told.poll(100):  # it takes a moment to subscribe
            client.execute_interactive("pass", timeout=PATIENCE_S)
        assert client.execute_interactive(AT_WORK, timeout=PATIENCE_S)["content"]["status"] == "ok"
        manager.shutdown_kernel()
        shown: list[str] = []
        while len(shown) < 3 and told.poll(1000 * int(PATIENCE_S)):
            header, content = read(told.recv_multipart())
            if header["msg_type"] == "display_data":
                shown.append(content["data"]["text/plain"].split()[0])
    assert shown == ["early", "late", "last"]


def read(frames: list[bytes]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the content; a message that was cut has other frames in their places."""
    start = frames.index(DELIMITER)
    return json.loads(frames[start + 2]), json.loads(frames[start + 5])
