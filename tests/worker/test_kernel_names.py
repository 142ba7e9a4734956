"""The kernel's names in a session, and what code there makes of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from qdash_jupyter.cells.told_names import words_in
from qdash_jupyter.worker.channel import Given
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.names_in import gathered
from qdash_jupyter.worker.result import JobResult


class Instrument:
    """Whatever is done with it would be done in the laboratory."""

    def output_on(self) -> None:
        raise AssertionError


class Kernel:
    """What the kernel's side does with a session: gives it names, and binds what comes back."""

    def __init__(self, worker: IsolatedWorker, names: dict[str, Any]) -> None:
        self.session, self.names, self.known = worker.session({}), names, dict[str, bytes]()
        self.sent = 0

    def __call__(self, code: str) -> JobResult:
        names = gathered(self.names, words_in(code), self.known)
        self.sent = len(names.pickled)
        self.known |= names.digests
        result = asyncio.run(self.session.run(code, given=Given(names.pickled, names.stays, names.has, (), "")))
        own = {name: value for name, value in result.bound.items() if name not in result.changed}
        self.names |= own
        self.known = {name: digest for name, digest in self.known.items() if name not in result.changed}
        self.known |= gathered(self.names, own, {}).digests
        return result


@pytest.fixture
def kernel(worker: IsolatedWorker) -> Iterator[Callable[[dict[str, Any]], Kernel]]:
    made: list[Kernel] = []

    def make(names: dict[str, Any]) -> Kernel:
        made.append(Kernel(worker, names))
        return made[-1]

    yield make
    for one in made:
        one.session.close()


Make = Callable[[dict[str, Any]], Kernel]


def test_names_in_and_out(kernel: Make) -> None:
    frame = pd.DataFrame({"qid": ["Q00", "Q01"], "t1": [50.0, 60.5]})
    run = kernel({"df": frame, "limit": 55, "np": np})
    result = run(
        "import plotly.graph_objects as go\nbest = df.query('t1 > @limit')\n"
        "n, levels, figure = len(best), np.arange(3.0), go.Figure()"
    )
    assert (result.error, result.stays) == ("", ())
    pd.testing.assert_frame_equal(run.names["best"], frame[frame["t1"] > 55])
    assert (run.names["n"], run.names["levels"].tolist(), type(run.names["figure"])) == (1, [0.0, 1.0, 2.0], go.Figure)
    assert {name for name, _ in result.created} == {"go", "best", "n", "levels", "figure"}
    assert run.names["df"] is frame


@pytest.mark.parametrize(
    ("value", "change"),
    [
        (pd.DataFrame({"v": [1.0, 2.0]}), "it['v'] = 7.0"),
        (pd.DataFrame({"v": [2.0, 1.0]}), "it.sort_values('v', inplace=True)"),
        (pd.DataFrame({"v": [2.0, 1.0]}), "(lambda table: table.drop(columns='v', inplace=True))(it)"),
        (pd.Series([1.0, 2.0]), "it.iloc[0] = 3"),
        (np.arange(3.0), "it[1] = 5"),
        (np.arange(3.0), "it.sort(); it[::-1].sort()"),
        ([1, {"a": [2]}], "it[1]['a'].append(3)"),
        ({"a": 1}, "it.update(b=2)"),
        ({1, 2}, "it.add(3)"),
        (bytearray(b"a"), "it[0] = 0"),
    ],
)
def test_what_code_changes_of_the_users_is_told(kernel: Make, value: Any, change: str) -> None:
    run, before = kernel({"it": value, "other": [1]}), repr(value)
    result = run(f"other\n{change}\ntotal = 7")
    assert (result.error, result.changed, result.bound["total"], repr(value)) == ("", ("it",), 7, before)
    assert run("str(it)").value == str(value)


@pytest.mark.parametrize(
    "look", ["it.sum()", "it.v.mean()", "it.sort_values('v')", "it.groupby('v').size()", "len(it)"]
)
def test_what_code_only_looks_at_is_not_changed(kernel: Make, look: str) -> None:
    run = kernel({"it": pd.DataFrame({"v": [2.0, 1.0], "w": ["a", None]})})
    assert (run(look).changed, run(look).error) == ((), "")


def test_what_has_not_changed_is_sent_once(kernel: Make) -> None:
    run = kernel({"df": pd.DataFrame({"v": [1.0]})})
    assert run("df['v'].sum()").value == 1.0
    assert run.sent
    assert run("df['v'].sum() + 1").value == 2.0
    assert not run.sent
    run.names["df"].loc[0, "v"] = 4.0
    assert run("df['v'].sum()").value == 4.0


def test_what_code_changes_of_its_own_is_changed_in_the_kernel_too(kernel: Make) -> None:
    run = kernel({})
    run("made = __import__('pandas').DataFrame({'v': [1.0]})\nfit = iter([1])")
    assert run("made['w'] = 2.0").bound["made"]["w"].tolist() == [2.0]
    assert dict(run("made.sum()").bound) == {}
    run.names["made"] = pd.DataFrame({"v": [9.0]})  # the user's from here on
    assert run("made['v'].sum()").value == 9.0
    assert run("made['v'] = 3.0").changed == ("made",)


def test_what_does_not_travel_stays_in_the_session(kernel: Make) -> None:
    run = kernel({})
    result = run("class Fit:\n    value = 3\nfit = Fit()\nsteps = (n for n in range(3))\nn = 1")
    assert (dict(result.bound), [name for name, _ in result.stays]) == ({"n": 1}, ["Fit", "fit", "steps"])
    assert run("fit.value + next(steps)").value == 3


@pytest.mark.parametrize(
    "use",
    ["awg.output_on()", "awg()", "awg + 1", "list(awg)", "awg['a']", "print(awg)", "with awg: pass", "if awg: pass"],
)
def test_what_only_the_kernel_has_is_named_when_it_is_used(kernel: Make, use: str) -> None:
    run = kernel({"awg": Instrument(), "n": 1})
    result = run(f"other = n + 1\ntry:\n    {use}\nexcept Exception:\n    pass")
    assert [name for name, _ in result.needed] == ["awg"]
    refused = run(use)
    assert "`awg` is in the notebook's kernel only" in str(refused.error)
    assert run("n").needed == ()


def test_a_name_that_the_kernel_has_no_more_of(kernel: Make) -> None:
    """One that the user binds to what does not travel is theirs."""
    run = kernel({})
    run("level = 3")
    run.names["level"] = Instrument()
    assert "NeedsKernel" in str(run("level + 1").error)


def test_what_cannot_be_read_is_dropped(kernel: Make) -> None:
    """The code writes on the channel itself."""
    forged = (
        "import os, struct\n"
        "def send(text):\n    os.write(3, struct.pack('<Q', len(text)) + text)\n"
        'send(b\'{"name":"evil","parts":1}\')\nsend(b\'cos\\nsystem\\n(S"id"\\ntR.\')\n'
        'send(b\'{"name":"no-name","parts":0}\')\nok = 1'
    )
    run = kernel({})
    result = run(forged)
    assert (dict(result.bound), run("ok + 1").value) == ({"ok": 1}, 2)
