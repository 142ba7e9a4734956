"""Where a front-end has no panel of ours, the card stands below the cell, and the kernel is free meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from qdash_jupyter.domain.consent import hash_of
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.ui.kernel import Kernel, as_new

INSTRUMENT = """
import threading
class Awg:
    pulses = 0
    def __init__(self):
        self.connection = threading.Lock()  # cannot be copied into the session
    def on(self):
        Awg.pulses += 1
awg = Awg()
"""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture(scope="module")
def loaded(model: ScriptedServer, warm_kernel: Kernel) -> Iterator[Kernel]:
    settings = {"QDASH_COPILOT_MODEL": "scripted-model", "OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "sk-test"}
    with as_new(warm_kernel, **settings, QDASH_COPILOT_HISTORY="false") as opened:
        opened.run(f"%load_ext qdash_jupyter\n{INSTRUMENT}")
        yield opened


@pytest.fixture(autouse=True)
def fresh(model: ScriptedServer, loaded: Kernel) -> None:
    loaded.run("Awg.pulses = 0")
    model.add(call_turn(("execute_python_analysis", {"code": "awg.on()\n3"})))
    model.add(text_turn("Done."))


def pulses(loaded: Kernel) -> str:
    return loaded.run("awg.pulses").bundles[-1]["text/plain"]


def answer(loaded: Kernel) -> str:
    """The text that stands below the cell in the end."""
    widget = loaded.find(_model_name="OutputModel")
    loaded.until(lambda: loaded.widgets[widget]["outputs"])
    return str(loaded.widgets[widget]["outputs"][0]["data"]["text/plain"])


def test_the_cell_ends_and_the_click_counts(loaded: Kernel) -> None:
    shown = loaded.run("%%copilot\nSwitch it on", types="")
    assert shown.status == "ok"
    said = "<b>Run this in your kernel?</b><ul><li>uses <code>awg.on</code> (Awg)</li></ul>"
    loaded.find(_model_name="HTMLModel", value=said)
    assert pulses(loaded) == "0"

    loaded.click("Run in my kernel")

    assert answer(loaded) == "Done."
    assert pulses(loaded) == "1"


def test_edited_below_the_cell(loaded: Kernel, model: ScriptedServer) -> None:
    loaded.run("%%copilot\nSwitch it on", types="")
    loaded.click("Edit")
    loaded.write(loaded.find(_model_name="TextareaModel"), "1 + 1")
    loaded.click("Check again")

    assert answer(loaded) == "Done."  # it needs the kernel no more
    assert pulses(loaded) == "0"
    assert "1 + 1" in str(model.requests[-1].body["input"])


def test_rejected_below_the_cell(loaded: Kernel, model: ScriptedServer) -> None:
    loaded.run("%%copilot\nSwitch it on", types="")
    loaded.write(loaded.find(_model_name="TextModel"), "The fridge is warm.")
    loaded.click("Reject")

    assert answer(loaded) == "Done."
    assert pulses(loaded) == "0"
    assert "The fridge is warm." in str(model.requests[-1].body["input"])


def test_where_nobody_reads_it_is_refused_or_approved_by_its_hash(loaded: Kernel, model: ScriptedServer) -> None:
    digest = hash_of("awg.on()\n3")
    shown = loaded.run("%%copilot\nSwitch it on")
    assert f"%copilot approve {digest}" in shown.text
    assert "uses `awg.on`" in shown.text
    assert pulses(loaded) == "0"

    model.add(call_turn(("execute_python_analysis", {"code": "awg.on()\n3"})))
    model.add(text_turn("Done."))
    assert digest in loaded.run(f"%copilot approve {digest}").text
    loaded.run("%%copilot\nSwitch it on")
    assert pulses(loaded) == "1"


def test_code_is_approved_for_once_alone(loaded: Kernel) -> None:
    loaded.run("%%copilot\nSwitch it on", types="")
    yes = loaded.find(_model_name="ButtonModel", description="Run in my kernel")
    [row] = [held["children"] for held in loaded.widgets.values() if f"IPY_MODEL_{yes}" in held.get("children", ())]
    labels = [loaded.widgets[child.removeprefix("IPY_MODEL_")]["description"] for child in row]
    assert labels == ["Run in my kernel", "Edit", "Reject"]
    loaded.click("Run in my kernel")
    answer(loaded)

    assert "nothing is approved" in loaded.run("%copilot approve").text
    assert "no approval 1" in loaded.run("%copilot revoke 1").text
