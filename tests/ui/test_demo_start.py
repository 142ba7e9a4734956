"""`make demo`, less its virtual environment: JupyterLab on the first notebook, with its token."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.mongo_server import free_port
from tests.patience import end
from tests.ui.kernel import ROOT

pytestmark = pytest.mark.kernel


def test_the_demo_prints_a_url_that_answers_and_asks_for_its_token(tmp_path: Path) -> None:
    port = free_port()
    settings = {"PORT": str(port), "NO_BROWSER": "1", "DEMO_FOLDER": str(tmp_path / "demo")}
    settings |= {"JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"), "QDASH_MONGO_URI": "mongodb://nowhere.invalid/x"}
    with subprocess.Popen(
        [sys.executable, "-m", "scripts.demo"],
        cwd=ROOT,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        try:
            url = first_url(server, port)
            token = url.partition("token=")[2]
            assert "/lab/tree/01-first-question.ipynb" in url
            contents = f"http://127.0.0.1:{port}/api/contents"
            assert status_of(f"{contents}/01-first-question.ipynb?token={token}") == 200
            assert status_of(contents) == 403
        finally:
            end(server)


def status_of(url: str) -> int:
    """The status of the answer; the server prints its URL a moment before it listens."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(url) as answer:  # noqa: S310 - our own server
                status: int = answer.status
                return status
        except urllib.error.HTTPError as refused:
            refused.close()
            return refused.code
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("no answer in 10 s")


def first_url(server: subprocess.Popen[str], port: int) -> str:
    """The URL that the server prints when it is ready."""
    deadline = time.monotonic() + 90
    assert server.stdout is not None
    printed = []
    for line in server.stdout:
        printed.append(line)
        if found := re.search(rf"http://127\.0\.0\.1:{port}/lab\S*token=\w+", line):
            return found.group(0)
        assert time.monotonic() < deadline, "".join(printed)
    raise AssertionError("".join(printed))
