from __future__ import annotations

import inspect

import pytest

from qdash_jupyter import errors
from qdash_jupyter.errors import CopilotError, NoData, NotFound, PageLost, PersonError, ToolError, nearest
from qdash_jupyter.messages.message import Message


def test_a_near_miss_names_what_was_meant() -> None:
    error = NotFound(
        Message("kind-parameter"), "t1_avg", ["qubit_frequency", "t1", "t1_average"], where=Message("on-chip", chip="c")
    )
    assert str(error.message) == "There is no parameter 't1_avg' on chip c."
    assert error.nearest[0] == "t1_average"
    assert str(error.hint).startswith("Did you mean t1_average")
    assert str(error) == f"{error.message} {error.hint}"


def test_without_a_near_one_the_known_ones_are_listed_and_the_list_ends() -> None:
    few = NotFound(Message("kind-chip"), "zzz", ["64Q-a", "64Q-b"])
    assert str(few.hint) == "Known: 64Q-a, 64Q-b."
    many = NotFound(Message("kind-parameter"), "zzzzzz", [f"name{i:02d}" for i in range(50)])
    assert str(many.hint).count("name") == 24
    assert str(many.hint).endswith(" and 26 more.")


@pytest.mark.parametrize(
    ("asked", "known", "expected"),
    [
        ("T1", ["t1", "t2_echo"], ["t1"]),
        ("64q-demo", ["64Q-demo", "144Q-demo"], ["64Q-demo", "144Q-demo"]),
        ("fidelity", ["x90_gate_fidelity", "t1"], ["x90_gate_fidelity"]),
        ("zzz", ["t1", "t2_echo"], []),
        ("", ["t1"], []),
        ("t", [f"t{i}" for i in range(9)], [f"t{i}" for i in range(8, 3, -1)]),
    ],
)
def test_nearest(asked: str, known: list[str], expected: list[str]) -> None:
    assert nearest(asked, known) == expected


def test_every_error_says_who_reads_it_and_tool_errors_have_kinds_of_their_own() -> None:
    tree = [error for _, error in inspect.getmembers(errors, inspect.isclass) if issubclass(error, CopilotError)]
    for error in tree:
        assert error is CopilotError or issubclass(error, (PersonError, ToolError, PageLost)), error
    kinds = [error.kind for error in tree if issubclass(error, ToolError)]
    assert len(set(kinds)) == len(kinds)


def test_a_message_without_hint_has_no_trailing_blank() -> None:
    assert str(NoData("Nothing.")) == "Nothing."
