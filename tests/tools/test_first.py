"""A time range before the first measurement: the answer says when that was. An unknown task: it names known ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tools.qdash_documents import a_chip, ago, document, task
from tests.tools.toolbench import Tools

BOTH = pytest.mark.parametrize("kind", ["snapshot", pytest.param("mongo", marks=pytest.mark.mongo)])
FIRST = "2026-03-22"


def lab() -> dict[str, list[dict[str, Any]]]:
    results = [task("CheckT1", str(n % 3), 100 - n, {"t1": 50.0 + n}) for n in range(90)]
    results.append(task("CheckT2Echo", "0", 20, {"t2_echo": 60.0}))
    results.append(task("CheckRamsey", "1", 30, status="failed"))
    runs = [
        document(execution_id=f"r{n}", name="daily", status="completed", tags=[], start_at=ago(100 - n), end_at=None)
        for n in range(70)
    ]
    return a_chip(4) | {"task_result_history": results, "execution_history": runs}


@BOTH
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_task_results", {}, f"The first result of any task is from {FIRST} 00:00 UTC."),
        ("search_task_results", {"qid": "1"}, "any task on Q01 is from 2026-03-23 "),
        ("search_task_results", {"task_name": "CheckT2Echo"}, "CheckT2Echo is from 2026-06-10 "),
        ("get_execution_history", {}, f"The first run is from {FIRST} 00:00 UTC."),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1"}, f"The first one is from {FIRST} 00:00 UTC."),
        ("get_parameter_timeseries", {"parameter_name": "t1", "qid": "2"}, "The first one is from 2026-03-24 00:00"),
        ("generate_chip_heatmap", {"metric_name": "t1"}, f"The first one is from {FIRST} 00:00 UTC."),
        ("get_result_curves", {"task_name": "CheckT1", "qid": "0"}, f"CheckT1 on Q00 is from {FIRST} "),
    ],
)
def test_a_window_before_the_first_names_the_first(
    opened: Callable[..., Any], kind: str, tool: str, arguments: dict[str, Any], said: str
) -> None:
    tools = Tools(opened(kind, lab()))
    failure = tools.failure(tool, **arguments, until="2026-03-01")
    assert failure["kind"] == "no_data"
    assert said in failure["try_instead"]


def test_a_gap_names_the_newest(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(lab())
    failure = tools.failure("search_task_results", since="2026-06-25", until="2026-06-26")
    assert failure["try_instead"].startswith("The newest result of any task is from 2026-06-19")


@pytest.mark.parametrize("name", ["search_task_results", "get_task_history", "get_latest_task_result"])
def test_a_task_that_does_not_exist_names_the_chips_tasks(tools_on: Callable[..., Tools], name: str) -> None:
    tools = tools_on(lab())
    far = tools.failure(name, task_name="Spectroscopy", qid="0")
    assert far["try_instead"] == "Known: CheckRamsey, CheckT1, CheckT2Echo."
    near = tools.failure(name, task_name="CheckT2", qid="0")
    assert near["try_instead"].startswith("Did you mean CheckT1, CheckT2Echo")
    assert near["try_instead"].endswith("Known: CheckRamsey, CheckT1, CheckT2Echo.")
