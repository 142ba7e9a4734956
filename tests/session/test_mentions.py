"""What `@` offers, and what becomes of it in the question."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.errors import DatabaseUnreachable, QuestionError
from qdash_jupyter.llm.offline.planner import OfflinePlanner
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.named import mentioned_data
from qdash_jupyter.session.records import AskedFrom
from qdash_jupyter.ui.screen import Screen
from tests.session.conversation import conversation, parts_with


class Asked:
    """An object that must not be asked anything."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)


def offered(copilot: Copilot) -> dict[str, tuple[str, str]]:
    """What the panel offers: kind and words by name."""
    shown: list[Any] = []

    async def play() -> None:
        came = asyncio.Event()

        def send(message: Any) -> None:
            if message["type"] == "snapshot":
                shown.append(message["state"])
                came.set()

        screen = Screen("an instance", send)
        await screen.list_mentions(inside(copilot))
        screen.resync()
        await came.wait()
        screen.close()

    asyncio.run(play())
    state = shown[-1]
    return {one["name"]: (one["kind"], one["about"] or str(one["rows"] or "")) for one in state["mentions"]}


def inside(copilot: Copilot) -> Any:
    return copilot._conversation


def test_data_are_offered_and_nothing_else(shell: InteractiveShell, snapshot: Path) -> None:
    shell.user_ns |= {
        "df": pd.DataFrame({"T1": [1.0, 2.0]}),
        "x": np.zeros((3, 4)),
        "n": 7,
        "_hidden": 1,
        "plot": lambda: None,
        "np": np,
        "instrument": Asked(),
    }
    with conversation(shell, parts_with(OfflinePlanner(), snapshot)) as copilot:
        assert offered(copilot) == {
            "n": ("variable", "int"),
            "x": ("variable", "array 3 × 4"),
            "df": ("variable", "DataFrame 2 × 1"),
        }  # of the chip nothing is known, and nothing is connected for it
        copilot.tools.get_chip_summary()
        told = offered(copilot)
        assert told["chip_summary"] == ("data", "16")
        assert told["Q07"] == ("qubit", "")
        assert told["Q00-Q01"] == ("coupling", "")
        assert len([kind for kind, _ in told.values() if kind == "qubit"]) == 16
        shell.user_ns["chip_summary"] = 3
        assert offered(copilot)["chip_summary"] == ("variable", "int")
        names = [one["name"] for one in mentioned_data(inside(copilot).kernel.namespace, copilot.data)]
        assert names[:2] == ["chip_summary", "n"]  # the newest first


def test_a_database_that_fails_takes_nothing_else_away(
    shell: InteractiveShell, snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.user_ns["n"] = 7
    with conversation(shell, parts_with(OfflinePlanner(), snapshot)) as copilot:
        reader = inside(copilot).parts().reader

        def fail(*_: object) -> None:
            raise DatabaseUnreachable("No database.", "Start it.")

        monkeypatch.setattr(reader, "element_ids", fail)
        assert list(offered(copilot)) == ["n"]


NAMED = ("T1 of @Q03", "Compare @Q03 and @Q12", "@Q03のT1は?", "ZX90 gate fidelity of @Q04-Q05")


def test_a_qubit_that_is_named_is_that_qubit_to_the_planner(shell: InteractiveShell, snapshot: Path) -> None:
    with conversation(shell, parts_with(OfflinePlanner(), snapshot)) as copilot:
        for named in NAMED:
            answer = copilot.ask(named.replace("@", "")).text
            assert "Q0" in answer, answer
            copilot.new()
            assert copilot.ask(named).text == answer
            copilot.new()


def test_a_variable_of_that_name_goes_first(shell: InteractiveShell, snapshot: Path) -> None:
    with conversation(shell, parts_with(OfflinePlanner(), snapshot)) as copilot:
        shell.user_ns["Q03"] = pd.DataFrame({"T1": [1.0, 2.0]})
        assert "`Q03` is a pandas.DataFrame with 2 rows" in copilot.ask("What is @Q03?").text
        with pytest.raises(QuestionError, match="no variable 'Qubits'"):
            copilot.ask("T1 of @Qubits")


@pytest.mark.parametrize(("asked_from", "says_menu"), [(AskedFrom("tab"), True), (None, False)])
def test_the_menu_of_models_is_said_in_a_page_and_the_variable_elsewhere(
    shell: InteractiveShell, snapshot: Path, asked_from: AskedFrom | None, says_menu: bool
) -> None:
    with conversation(shell, parts_with(OfflinePlanner(), snapshot)) as copilot:
        turn = inside(copilot).start("What is the weather tomorrow?", asked_from=asked_from)
        turn.wait()
        text = turn.result().text
    assert ("menu below the question box" in text) is says_menu
    assert ("QDASH_COPILOT_MODEL" in text) is not says_menu
