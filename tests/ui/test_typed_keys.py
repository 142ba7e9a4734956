"""Keys that a person types, in a real kernel, with a real server that gets them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.scripted_server import ScriptedServer, text_turn
from tests.ui.kernel import Kernel, as_new

KEY = "sk-typed-0123456789abcdef"
LAB = {"QDASH_COPILOT_MODEL": "lab-model"}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    answer = json.dumps({"blocks": [{"type": "text", "content": "Heard.", "chart": None}], "assessment": None})
    with ScriptedServer([text_turn(answer)] * 2) as running:
        yield running


@pytest.fixture
def loaded(request: pytest.FixtureRequest, warm_kernel: Kernel) -> Iterator[Kernel]:
    with as_new(warm_kernel, **LAB, **getattr(request, "param", {})) as running:
        running.run("%load_ext qdash_jupyter")
        yield running


def test_a_typed_key_goes_to_the_server_and_nowhere_else(server: ScriptedServer, warm_kernel: Kernel) -> None:
    with as_new(warm_kernel, **LAB, OPENAI_BASE_URL=server.base_url) as running:
        running.run("%load_ext qdash_jupyter")
        told = running.run("%copilot key", types=KEY)
        (asked,) = running.asked
        assert asked["password"] is True
        assert "OPENAI_API_KEY" in asked["prompt"]
        assert "kept until the kernel stops" in told.text
        assert "Heard." in running.run("%copilot ask Hello").text
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        seen = running.run("import os; print('OPENAI_API_KEY' in os.environ, dir(), In, Out); copilot").text
        assert KEY not in seen + told.text
        assert seen.startswith("False")


def test_a_key_that_is_missing_is_asked_for_once(loaded: Kernel) -> None:
    told = loaded.run("%%copilot\nHow is the chip?", types="")
    assert len(loaded.asked) == 1
    assert "No key is set for api.openai.com." in told.text
    assert "No key is set" in loaded.run("%%copilot\nHow is the chip?", types=KEY).text
    assert len(loaded.asked) == 1


def test_where_nobody_can_type_the_answer_says_what_to_do(loaded: Kernel) -> None:
    assert "Set OPENAI_API_KEY" in loaded.run("%%copilot\nHow is the chip?").text
    told = loaded.run("%copilot key")
    assert "can't ask for one" in told.text
    assert "Traceback" not in told.text


@pytest.mark.parametrize(
    "loaded", [{"OPENAI_API_KEY": "sk-x"}, {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}], indirect=True
)
def test_nothing_is_asked_where_a_key_is_there_or_may_not_be_needed(loaded: Kernel) -> None:
    loaded.run("copilot.close(); copilot.start = lambda question: 1 / 0\n%copilot ask Hello", types=KEY)
    assert loaded.asked == []


def test_a_key_in_the_cell_is_not_taken(loaded: Kernel) -> None:
    for line in (f"%copilot key {KEY}", "%copilot key a b"):
        assert "Never write the key itself" in loaded.run(line, types="x").text
    assert loaded.asked == []


@pytest.mark.long
def test_the_command_line_asks_a_person_at_a_terminal() -> None:
    ours, theirs = os.openpty()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("QDASH", "OPENAI"))} | LAB
    command = [sys.executable, "-m", "qdash_jupyter.ui.cli", "ask", "--demo", "How is the chip?"]
    with subprocess.Popen(command, stdin=theirs, stderr=subprocess.PIPE, env=env, start_new_session=True) as run:
        assert run.stderr is not None
        seen = b""
        while not seen.endswith(b"stops): "):
            one = run.stderr.read(1)
            assert one, seen
            seen += one
        os.write(ours, b"\n")
        told = run.stderr.read().decode()
    os.close(ours)
    os.close(theirs)
    assert b"Key for OPENAI_API_KEY" in seen
    assert "No key is set for api.openai.com." in told
    assert run.returncode == 1


def test_the_planner_needs_no_key(demo_kernel: Kernel) -> None:
    assert "The offline planner needs no key." in demo_kernel.run("%copilot key", types=KEY).text
