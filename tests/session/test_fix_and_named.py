"""A failed cell that is mended, and variables that a question names, over the wire and offline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.analysis import FailedCell, data_of, situation_in
from qdash_jupyter.domain.answer import CellEditBlock
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.session.copilot import Copilot
from tests.lab.in_panel import text_answer
from tests.scripted_server import ScriptedServer, call_turn, text_turn

CODE = "# mean\ndf['T1'].mean()"
FAILED = FailedCell("[3]", CODE, "line 2: df['T1'].mean()\nKeyError: 'T1'", "c1")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def copilot(shell: InteractiveShell, server: ScriptedServer) -> Iterator[Copilot]:
    model = {"name": "m", "base_url": server.base_url, "api_key_env": "NO_KEY"}
    opened = open_copilot(shell, settings={"model": "lab", "models": {"lab": model}})
    yield opened
    opened.close()


@pytest.fixture
def offline(shell: InteractiveShell) -> Iterator[Copilot]:
    opened = open_copilot(shell)
    yield opened
    opened.close()


def fixed(copilot: Copilot, question: str = "Fix cell [3]") -> Any:
    turn = copilot.start(question, analysis=FAILED)
    turn.wait()
    return turn


def table() -> pd.DataFrame:
    return pd.DataFrame({"qid": ["1", "2"], "t1": [61.5, 44.25]})


def offered(body: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in body["tools"]]


def test_the_model_proposes_a_change_and_nothing_is_run(
    copilot: Copilot, server: ScriptedServer, shell: InteractiveShell
) -> None:
    shell.user_ns["df"] = table()
    server.add(call_turn(("propose_cell_edit", {"new_source": CODE})))
    server.add(call_turn(("propose_cell_edit", {"new_source": "df['t1'].mean("})))
    server.add(call_turn(("propose_cell_edit", {"new_source": CODE.replace("T1", "t1"), "why": "It is t1."})))
    server.add(text_turn(text_answer("The column is called t1.")))
    server.add(text_turn(text_answer("Nothing.")))
    turn = fixed(copilot)
    copilot.ask("And now?")

    first = server.requests[0].body
    told = data_of(first["input"][0])
    assert told["Code"] == CODE
    assert told["Error"] == FAILED.error
    assert told["Variables"]["df"]["columns"]["t1"] == "float64"
    assert "head" not in told["Variables"]["df"]
    assert "61.5" not in json.dumps(first)
    assert offered(first)[-1] == "propose_cell_edit"
    assert offered(server.requests[-1].body) == offered(first)[:-1]
    assert server.requests[-1].body["instructions"] == first["instructions"]
    unchanged, broken, good = (
        json.loads(item["output"]) for item in server.requests[3].body["input"] if "output" in item
    )
    assert unchanged["error"] == "The cell already has this text."
    assert broken["error"] == "The new text isn't valid Python: '(' was never closed, line 1."
    assert good["status"] == "proposed"
    (block,) = (block for block in turn.result().blocks if isinstance(block, CellEditBlock))
    assert (block.cell_id, block.before, block.after) == ("c1", CODE, CODE.replace("T1", "t1"))
    assert "- df['T1'].mean()\n+ df['t1'].mean()" in turn.result().text
    assert turn.cells == ()


def test_the_planner_names_the_error_and_says_that_it_cannot_mend_code(offline: Copilot) -> None:
    text = fixed(offline).result().text
    assert "The cell failed with `KeyError: 'T1'`, in `line 2: df['T1'].mean()`." in text
    assert "can't fix code" in text
    assert "QDASH_COPILOT_MODEL" in text
    assert "コードを修正できません" in fixed(offline, "このセルを直して").result().text


def test_what_is_named_goes_along_with_the_question(
    copilot: Copilot, server: ScriptedServer, shell: InteractiveShell
) -> None:
    shell.user_ns |= {"df": table(), "x": np.zeros((3, 4)), "secret": "hunter2"}
    for _ in range(3):
        server.add(text_turn(text_answer("Fine.")))
    copilot.ask("Which row of @df is best, and is a@secret.example right?")
    copilot.ask("@dfと @x は?")
    copilot.ask("And the chip?")
    told = [situation_in(request.body["input"][-1]).get("named_in_the_question", "") for request in server.requests]
    assert list(told[0]) == ["df"]
    assert told[0]["df"]["head"] == [["1", 61.5], ["2", 44.25]]
    assert list(told[1]) == ["df", "x"]
    assert told[2] is None
    assert "hunter2" not in json.dumps(server.requests[-1].body)


def test_a_stored_result_is_named_by_its_key(offline: Copilot) -> None:
    offline.tools.get_chip_summary()
    text = offline.ask("What is @chip_summary?").text
    assert "`chip_summary` is a copilot.data['chip_summary'] with" in text
    assert "qid" in text


def test_an_unknown_name_is_said_before_anything_is_asked(
    copilot: Copilot, server: ScriptedServer, shell: InteractiveShell
) -> None:
    shell.user_ns["table_1"] = table()
    with pytest.raises(QuestionError, match="no variable 'table_2'") as error:
        copilot.ask("Plot @table_2")
    assert "@table_1" in str(error.value.hint)
    assert server.requests == []
    server.add(text_turn(text_answer("Fine.")))
    copilot.ask("What does this do?\n@njit(cache=True)\ndef f(): ...")


@pytest.mark.parametrize(
    ("question", "cannot"),
    [
        ("What is @df?", False),
        ("What are the columns of @df", False),
        ("How many rows does @df have?", False),
        ("What is the mean of @df?", True),
        ("Plot @df against T1", True),
        ("@dfの列は?", False),
        ("@dfの平均は?", True),
    ],
)
def test_the_planner_says_what_a_variable_is(
    offline: Copilot, shell: InteractiveShell, question: str, cannot: bool
) -> None:
    shell.user_ns["df"] = table()
    text = offline.ask(question).text
    assert "`df`" in text
    assert "2 columns: qid" in text or "2列です：qid" in text
    assert ("language model can" in text or "言語モデルなら" in text) == cannot
