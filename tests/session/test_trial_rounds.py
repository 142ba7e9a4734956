"""What cost a strong model rounds in the trial, and the notebook that did not run again, as conversations.

Over Chat Completions; what misled it stands in `test_trial_numbers.py`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.told_table import rows_of
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.ui.export import notebook_of
from tests.scripted_server import Script, ScriptedServer, call_turn, text_turn
from tests.session import trial_chip as chip
from tests.session.conversation import open_shell
from tests.session.trial import Round, Says, Told, Trial, cell, told_in, trial

SERIES = ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "60d"})
MEDIAN = (cell("float(copilot.data['t1']['timeseries']['v'].median())"),)


@pytest.fixture
def asked(shell: InteractiveShell, trial_chip: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trial]:
    """Over Chat Completions."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with trial(shell, trial_chip, style="chat_completions") as opened:
        yield opened


def run_from_the_top(asked: Trial, snapshot: Path) -> dict[str, Any]:
    """Close the conversation, and run the code of its last turn's notebook cell by cell with no names but its own."""
    turn = asked.copilot.turns[-1]
    notebook = notebook_of([turn], asked.copilot.status(), f"--snapshot {snapshot}")
    asked.copilot.close()
    with open_shell() as fresh:
        for made in notebook.cells:
            if made.cell_type == "code":
                fresh.run_cell(made.source, silent=True).raise_error()
        names = dict(fresh.user_ns)
        fresh.run_line_magic("unload_ext", "qdash_jupyter")
    return names


def test_what_a_failed_cell_bound_is_bound_again_and_the_notebook_runs(asked: Trial, trial_chip: Path) -> None:
    """A failed cell is not in the notebook, but its names were told as usable: a later cell took `pd` from it."""
    bound = {"pd": "import pandas as pd\n", "losses": "losses = {}\n"}
    mean = "losses['mean'] = float(pd.Series(copilot.data['t1']['timeseries']['v']).mean())\nlosses['mean']"

    def next_cell(body: dict[str, Any]) -> Script:
        again = told_in(body)[-1]["bind_again"]
        return call_turn(cell("".join(bound[name] for name in again) + mean))

    failing = call_turn(cell("".join(bound.values()) + "losses['all'] = 1 / 0"))
    asked.server.add(call_turn(SERIES), failing, next_cell, text_turn("Done."))
    asked.copilot.ask("How large is T1 on average?")
    _, failed, done = asked.told
    assert (failed["status"], failed["bind_again"]) == ("error", ["pd", "losses"])
    assert "new_names" not in failed
    again = run_from_the_top(asked, trial_chip)
    assert again["losses"] == {"mean": pytest.approx(done["result"], rel=1e-3)}


def test_what_a_failed_cell_changed_is_bound_again_too(asked: Trial, trial_chip: Path) -> None:
    """The same without a new name: a column that a failed cell put into a table is there neither for the next cell nor
    when the notebook runs.
    """
    table = "ends = copilot.data['t1']['qubits'].copy()\n"
    column = "ends['mux'] = ends['qid'].astype(int) // 4\n"
    by_mux = "mean_of_mux = ends.groupby('mux')['latest'].mean()\nlen(mean_of_mux)"

    def next_cell(body: dict[str, Any]) -> Script:
        again = told_in(body)[-1]["bind_again"]
        return call_turn(cell((table + column if "ends" in again else "") + by_mux))

    asked.server.add(
        call_turn(SERIES), call_turn(cell(table)), call_turn(cell(column + "1 / 0")), next_cell, text_turn("Done.")
    )
    asked.copilot.ask("Which multiplexer is worst?")
    *_, failed, done = asked.told
    assert failed["bind_again"] == ["ends"]
    assert done["result"] == len(run_from_the_top(asked, trial_chip)["mean_of_mux"]) == 16


def test_columns_say_what_they_hold(asked: Trial) -> None:
    """No kinds and units in `_schema`: the model looked at `dtypes` first, or took times for texts."""
    calls = (SERIES, ("search_task_results", {"task_name": "CheckT1", "since": "90d"}))
    asked.ask("How long does CheckT1 take?", calls)
    series, results = asked.told
    assert series["units"] == {"v": "μs", "latest": "μs", "age_days": "d"}
    assert "timeseries: qid, t:UTC, v, error" in asked.sent, "with the tool, once"
    assert {"start_at:UTC", "elapsed_time:s", "excluded:bool"} <= set(results["results"]["_schema"])
    tables = "measured, ended = copilot.data['t1']['timeseries'], copilot.data['task_results']['results']\n"
    kinds = "[str(measured['t'].dt.tz), str(measured['v'].dtype), str(ended['elapsed_time'].dtype)]"
    asked.ask("Is that so?", (cell(tables + kinds),))
    assert asked.told[-1]["result"] == ["UTC", "float64", "float64"]


def test_a_series_says_when_it_was_measured_not_what_was_asked(asked: Trial) -> None:
    """The asked start stood there, years before the first measurement."""
    long_ago = (SERIES[0], {"parameter_name": "t1", "since": "2020-01-01"})
    answer = asked.ask("Since when do we measure T1?", (long_ago,), says=lambda told: told[0]["measured"])
    (told,) = asked.told
    times = asked.copilot.data["t1"]["timeseries"]["t"]
    assert answer.text == f"{times.min():%m-%d %H:%M} to {times.max():%m-%d %H:%M}"
    assert "range" not in told
    assert "2020" not in str(told)


def test_change_sigmas_and_trend_are_explained_where_they_stand(asked: Trial) -> None:
    """Three columns without a word of what they are: the model computed its own."""
    asked.ask("What changed?", (SERIES,))
    (told,) = asked.told
    assert told["qubits"]["_rows"] == len(asked.copilot.data["t1"]["qubits"])
    meaning = next(one for one in asked.sent.split('"description": ') if "change / noise" in one)
    assert all(f", {name}," in meaning for name in ("change", "sigmas", "trend"))
    rows = asked.copilot.data["t1"]["qubits"].query("trend in ['down', 'up']")
    least = float(re.findall(r"≥ ([\d.]+) and large", meaning)[0])
    assert len(rows) > 3
    assert (rows["sigmas"].abs() >= least).all()
    assert all(word in meaning for word in ("change / noise", "large enough to matter"))


def test_what_has_thresholds_is_told_first(asked: Trial) -> None:
    """Statistics came by the alphabet: `hpi_length` was kept and `t2_echo` cut, `max` and `count` were gone."""
    asked.ask("How is the chip?", (("get_chip_summary", {}),))
    (told,) = asked.told
    statistics = told["statistics"]
    assert statistics.pop("_columns") == ["median", "min", "max", "count"]
    assert told.get("_more", {}).get("statistics", 0) <= 3, "there is room for nearly all"
    assert all(len(of) == 4 for of in statistics.values())
    order = list(statistics)
    assert {"t1", "t2_echo", "average_readout_fidelity", "x90_gate_fidelity"} < set(order)
    assert "hpi_length" not in order, "it has no thresholds: it is in the table"
    assert order != sorted(order)
    asked.ask("And T1?", (SERIES,))
    assert {"median", "min", "max", "count"} <= set(asked.told[-1]["statistics"])


def test_a_value_has_the_digits_that_its_error_has(asked: Trial) -> None:
    """`8.036 GHz` with an error of 1e-6: the digits that matter were cut."""
    calls = (
        ("get_qubit_params", {"qid": "3", "param_names": ["qubit_frequency"]}),
        ("get_latest_task_result", {"task_name": "CheckRamsey", "qid": "3"}),
        ("get_parameter_lineage", {"parameter_name": "qubit_frequency", "qid": "3", "last_n": 1}),
    )
    asked.ask("Where is 3?", calls)
    qubit, result, lineage = asked.told
    stored = asked.copilot.data["qubit_3"].frame.iloc[0]
    (current,), (newest,), (version,) = map(rows_of, (qubit["parameters"], result["results"], lineage["versions"]))
    shown = (current["value"], newest["output_parameters"]["qubit_frequency"]["value"], version["value"])
    assert shown == pytest.approx((stored["value"],) * 3, abs=stored["error"] / 2)
    assert stored["error"] < 2e-6


def test_loop_variables_are_no_new_names(asked: Trial) -> None:
    """`q`, `row` and `i` stood among the new names, beside those that the next cell is for."""
    code = "total = 0\nfor place, (row, column) in enumerate([(1, 2), (3, 4)]):\n    total = total + row * column"
    asked.ask("Add them.", (cell(code),))
    assert asked.told[0]["new_names"] == ["total: int"]
    assert asked.shell.user_ns["place"] == 1


def test_rows_do_not_repeat_their_keys(asked: Trial) -> None:
    """Each row of a cell's DataFrame came with each column's name."""
    asked.ask("Show me some.", (SERIES,), (cell("copilot.data['t1']['qubits'][['qid', 'latest', 'trend']].head(9)"),))
    result = asked.told[-1]["result"]
    assert result["columns"] == ["qid", "latest", "trend"]
    assert len(result["records"]) == 9
    assert all(isinstance(row, list) and len(row) == 3 for row in result["records"])


def test_warnings_of_libraries_about_code_reach_nobody(asked: Trial, capsys: pytest.CaptureFixture[str]) -> None:
    """A paragraph of pandas about fragmented frames went to the model and below the cell; warnings about data stay."""
    code = (
        "import numpy as np\nimport pandas as pd\nwide = pd.DataFrame({'qid': ['1', '2']})\n"
        "for place in range(120):\n    wide[f'v{place}'] = place\n"
        "rates = np.array([1.0]) / np.array([0.0])\nwide.shape"
    )
    asked.ask("Make it wide.", (cell(code),))
    assert asked.told[0]["result"] == [2, 121]
    (warned,) = [one["text"] for one in asked.copilot.turns[0].cells[0].outputs if one.get("name") == "stderr"]
    assert "RuntimeWarning: divide by zero" in warned
    assert "Performance" not in asked.sent + warned + "".join(capsys.readouterr())


def test_the_names_of_the_user_are_known_and_not_taken(asked: Trial) -> None:
    """`df`, `fig` and `ts` collided at random, as nobody had told that the user has them."""
    asked.shell.run_cell("import pandas as pd\ndf = pd.DataFrame({'mine': [1, 2]})\nts = [1, 2, 3]")

    def free(body: dict[str, Any]) -> Script:
        own = re.search(r'"names_of_the_user":(\[.*?\])', str(body["messages"]))
        taken = own is not None and "df: DataFrame 2 × 1" in own[1]
        return call_turn(cell(f"{'level_table' if taken else 'df'} = copilot.data['t1']['qubits'].copy()"))

    asked.server.add(call_turn(SERIES), free, text_turn("Done."))
    asked.copilot.ask("Where is T1?")
    assert asked.told[-1] == {"status": "ok", "new_names": ["level_table: DataFrame 64 × 15"]}
    assert list(asked.shell.user_ns["df"].columns) == ["mine"]
    assert "ts: list of 3" in asked.sent


WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None  # as where it is not installed
import qdash_jupyter
model = {{"name": "m", "base_url": {url!r}, "api_style": "chat_completions"}}
settings = {{"model": "m", "models": {{"m": model}}, "database": {{"snapshot": {snapshot!r}}}}}
copilot = qdash_jupyter.open_copilot(settings=settings)
copilot.ask("Which libraries are there?")
copilot.close()
"""


@pytest.mark.long
def test_only_libraries_that_are_there_are_promised(trial_chip: Path, tmp_path: Path) -> None:
    """A library was promised where it was not installed. Some seconds: that is looked up at the start of a process."""

    def imports(body: dict[str, Any]) -> Script:
        (tool,) = (one["function"] for one in body["tools"] if "python" in one["function"]["name"])
        promised = re.findall(r"Import ([\w, ]+)\.", tool["description"])[0]
        return call_turn(cell(f"import {promised}\n{promised.split(', ')!r}"))

    with ScriptedServer([imports, text_turn("Done.")], responses=False) as server:
        script = WITHOUT_MATPLOTLIB.format(url=server.base_url, snapshot=str(trial_chip))
        environment = {"PATH": "", "HOME": str(tmp_path), "OPENAI_API_KEY": "sk-test"}
        ran = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
        )
        (told,) = told_in(server.requests[-1].body)
    assert ran.returncode == 0, ran.stderr
    assert told["status"] == "ok"
    assert {"numpy", "pandas", "plotly", "scipy"} <= set(told["result"])
    assert "matplotlib" not in told["result"]


def test_the_current_qubit_is_known(shell: InteractiveShell, trial_chip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for "this qubit", the model had to ask back."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")

    def look_up(body: dict[str, Any]) -> Script:
        found = re.findall(r'\\*"current_qubit\\*":\\*"(\d+)', str(body["messages"]))
        return call_turn(("get_task_history", {"task_name": "CheckT1", "qid": found[-1], "last_n": 1}))

    with trial(shell, trial_chip, style="chat_completions", qid=chip.EXCLUDED) as asked:
        asked.server.add(look_up, text_turn("Done."))
        asked.copilot.ask("When was T1 of this qubit measured last?")
        first = str(asked.server.requests[0].body["messages"])
        assert asked.copilot.data["task_history"].frame["qid"].tolist() == [chip.EXCLUDED]
    assert "excluded: 9999 μs" in first, "its parameters are there with what is to be known of them"


def test_evidence_shows_its_table_in_the_order_of_the_calls(asked: Trial, trial_chip: Path) -> None:
    """Cells that fetched evidence showed nothing, and stood in the order in which reads were quicker."""
    calls = tuple(("get_qubit_params", {"qid": qid}) for qid in ("33", "5"))
    asked.ask("How are 33 and 5?", (("get_chip_topology", {}), *calls))
    turn = asked.copilot.turns[-1]
    assert [result.call.name for result in turn.tool_results] == ["get_chip_topology", *["get_qubit_params"] * 2]
    notebook = notebook_of([turn], asked.copilot.status(), f"--snapshot {trial_chip}")
    data = [cell for cell in notebook.cells if cell.cell_type == "code" and "get_qubit_params" in cell.source]
    assert [cell.source.splitlines()[-1] for cell in data] == [
        f'copilot.data["qubit_{qid}"].frame' for qid in ("33", "5")
    ]
    for made in data:
        (output,) = made.outputs
        assert "t2_echo" in output["data"]["text/plain"]
        assert "<table" in output["data"]["text/html"]


def test_results_of_calls_at_once_have_keys_in_their_order_and_looking_up_leaves_no_cell(
    asked: Trial, trial_chip: Path
) -> None:
    """They were `task_results_5,4,7`, in the order in which reads were quicker."""
    calls = tuple(("search_task_results", {"task_name": "CheckT1", "qid": qid, "since": "90d"}) for qid in "5471")
    asked.ask("Where does CheckT1 fail?", (("describe", {"names": ["t1", "jumps"]}), *calls))
    keys = [told["data_key"] for told in asked.told[1:]]
    assert keys == ["task_results", *(f"task_results_{number}" for number in (2, 3, 4))]
    assert [asked.copilot.data[key].frame["qid"].iloc[0] for key in keys] == list("5471")
    notebook = notebook_of(asked.copilot.turns[-1:], asked.copilot.status(), f"--snapshot {trial_chip}")
    copilots = [cell.source for cell in notebook.cells if "copilot" in cell.metadata.get("tags", ())]
    assert len(copilots) == len(calls)


def _echo(told: Told, place: int) -> str:
    values = next(one for one in told[place]["parameters"]["rows"] if one[0] == "t2_echo")
    return f"{float(values[1]):.1f}"


LOOKED_UP = (("get_chip_topology", {}), *(("get_qubit_params", {"qid": qid}) for qid in ("33", "5")), SERIES)


@pytest.mark.parametrize(
    ("rounds", "says", "kept"),
    [
        ((LOOKED_UP, MEDIAN), lambda told: f"{told[-1]['result']:.1f} μs", {"t1"}),
        ((LOOKED_UP, MEDIAN), lambda told: f"T2 echo of Q33 is {_echo(told, 1)} μs.", {"t1", "qubit_33"}),
        ((LOOKED_UP, MEDIAN), lambda _: "Beside Q27 there are Q25 and Q26.", {"t1", "topology"}),
        ((LOOKED_UP,), lambda told: f"T2 echo of Q33 is {_echo(told, 1)} μs.", {"qubit_33"}),
        ((LOOKED_UP,), lambda _: "Nothing is wrong.", {"topology", "qubit_33", "qubit_5", "t1"}),
    ],
)
def test_a_look_up_leaves_a_cell_in_an_export_only_where_the_answer_uses_it(
    asked: Trial, trial_chip: Path, rounds: tuple[Round, ...], says: Says, kept: set[str]
) -> None:
    """What no cell reads and no word of the answer rests on stayed in the notebook."""
    asked.ask("Which of Q33 and Q5 has the longer echo?", *rounds, says=says)
    notebook = notebook_of(asked.copilot.turns[-1:], asked.copilot.status(), f"--snapshot {trial_chip}")
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert set(re.findall(r'^copilot\.data\["(\w+)"\] = ', code, re.MULTILINE)) == kept


def test_a_refusal_whose_work_a_later_cell_did_is_in_neither_answer_nor_notebook(
    asked: Trial, trial_chip: Path
) -> None:
    """`**Not run**: …` stayed in both."""
    first, second = "level = float(open('/etc/hostname').read() or 5)", "level = 5.0\nlevel"
    answer = asked.ask("Which level?", (cell(first),), (cell(second),))
    assert [told["status"] for told in asked.told] == ["rejected", "ok"]
    assert answer.text == "Done."
    notebook = notebook_of(asked.copilot.turns[-1:], asked.copilot.status(), f"--snapshot {trial_chip}")
    sources = [cell.source for cell in notebook.cells]
    assert second in sources
    assert not [source for source in sources if "hostname" in source or "Not run" in source]


def test_an_export_says_what_must_exist(asked: Trial, trial_chip: Path) -> None:
    """The person's own `df` was nowhere in the notebook, and the first run stopped at it."""
    asked.shell.run_cell("import pandas as pd\ndf = pd.DataFrame({'qid': ['3'], 't1': [81.5]})", silent=True)
    asked.ask(
        "What is in my df?", (cell("df = df.assign(n=[len(row) for row in df['qid']])\n(lambda a: a)(df['t1'].max())"),)
    )
    notebook = notebook_of(asked.copilot.turns[:], asked.copilot.status(), f"--snapshot {trial_chip}")
    first = notebook.cells[0].source
    assert "define `df`:" in first
    asked.ask("And T1?", (SERIES,), (cell("copilot.data['t1']['timeseries']['v'].max()"),))
    alone = notebook_of(asked.copilot.turns[-1:], asked.copilot.status(), f"--snapshot {trial_chip}")
    assert "define" not in alone.cells[0].source


def test_of_cells_at_once_a_name_that_one_did_not_bind_is_told_with_it(asked: Trial) -> None:
    """A bare NameError, or the value of an earlier question, in place of the cell that had failed."""
    asked.ask("Levels?", (cell("low = 1\nhigh = 9"),))
    fails = "# the limits\nlow = 2\nhigh, wide = low + 1, 1 / 0"
    cells = ("wide * 2", "high", "high = 5", "high", "def wider(low):\n    return low\nwider(3)", "low = 4\nlow")
    asked.ask("And now?", tuple(map(cell, (fails, *cells))))
    told = asked.told[-len(cells) :]
    assert [one["status"] for one in told] == ["error", *["ok"] * 5]
    said = [one.get("failed_before", {}) for one in told]
    why = "not bound by this round's cell that failed: # the limits"
    assert said[:4] == [{"wide": why}, {"high": why}, {}, {}]
    assert told[1]["result"] == 9, "of the question before"
    assert said[4:] == [{}, {}], "a parameter; bound here"
    asked.ask("Once more?", (cell("wide"),))
    assert "failed_before" not in asked.told[-1], "another round: `bind_again` has said it"


SHOWN = {
    "display(t1.head(1)[['qid', 'v']], 7)": ("qid", "\n7"),
    "copilot.tools.get_qubit_params(qid='3')": ("'qubit_3'", "parameters"),
    "copilot.data['t1']": ("timeseries", "qubits"),
    "copilot.data.keys()": ("t1",),
    "import inspect\ninspect.signature(qm.jumps)": ("series",),
    "qm.jumps?": ("Signature", "series"),
    "{'t1': t1.head(1)}.items()": ("qid",),
    "t1.groupby('qid')": ("DataFrameGroupBy",),
    "display(t1.head(60))": ("qid", "characters left out"),
    "ax = t1.head(9).plot('t', 'v', title='T1 of Q3')\nax.set_ylabel('μs')": ("title 'T1 of Q3'", "y 'μs'", "1 lines"),
    "help(qm.jumps)": ("jumps(", "Returns"),
}


def test_no_cell_that_shows_something_is_told_as_ok_alone(asked: Trial) -> None:
    """`{"status": "ok"}` was all that was told of what has no short description, or was displayed."""
    given = "from qdash_jupyter import methods as qm\nt1 = copilot.data['t1']['timeseries']"
    asked.ask("What is there?", (SERIES,), (cell(given),), tuple(map(cell, SHOWN)))
    told = asked.told[-len(SHOWN) :]
    texts = ["".join(str(one.get(name, "")) for name in ("text", "displayed", "figures", "result")) for one in told]
    missing = [
        (text, word) for text, words in zip(texts, SHOWN.values(), strict=True) for word in words if word not in text
    ]
    assert missing == []
    assert "\x1b" not in str(texts)
    assert max(len(one.get("displayed", "")) for one in told) < 1_300


WRONG_NAMES = (
    *("t1.groupby('qid')['value'].mean()", "t1.groupby('qubit').size()", "t1.value.mean()", "t1[['qid', 'value']]"),
    *("t1.query('qubit == 3')", "t1.sort_values('time')", "t1.apply(lambda row: row['value'], axis=1)"),
    *("t1.groupby('qid').agg(mean=('value', 'mean'))", "copilot.data['t1'].head()", "copilot.data['t1']['v']"),
    *("t1.loc[:, 'value']", "t1.pivot(index='time', columns='qid', values='v')", "t1.set_index('time')"),
)


def test_a_name_that_a_table_has_not_is_told_with_those_that_it_has(asked: Trial) -> None:
    """`KeyError: 'value'` cost a round in which the columns were looked up."""
    given = cell("t1 = copilot.data['t1']['timeseries']")
    asked.ask("How large is it?", (SERIES,), (given,), tuple(map(cell, WRONG_NAMES)))
    said = [one["traceback"] for one in asked.told[-len(WRONG_NAMES) :]]
    assert [one for one in said if "qid, t, v, error, task_name" not in one] == []


def test_a_wrong_call_of_a_method_is_told_with_its_signature(asked: Trial) -> None:
    """The next round asked for it."""
    given = "from qdash_jupyter import methods as qm"
    wrong = "qm.changes(copilot.data['t1'], since='7d', alpha=0.01)"
    asked.ask("What changed?", (SERIES,), (cell(given),), (cell(wrong), cell("qm.change(copilot.data['t1'])")))
    call, name = asked.told[-2:]
    assert call["signature"].startswith("changes(series, *, since")
    assert "Did you mean changes" in name["traceback"]


EARLIER = """from plotly.subplots import make_subplots
from scipy.optimize import curve_fit, minimize
import numpy as np
import pandas as pd
to_times = pd.to_datetime

class Line:
    def __init__(self, slope):
        self.slope = slope

    def at(self, x):
        return self.slope * x

line = Line(2.0)"""
LATER = {
    "float(curve_fit(lambda x, a: a * x, np.arange(5.0), 3 * np.arange(5.0))[0][0])": 3.0,
    "round(float(minimize(lambda a: (a[0] - 1) ** 2, [0.0]).x[0]), 3)": 1.0,
    "len(make_subplots(rows=1, cols=2).layout['annotations'] or ())": 0,
    "str(to_times('2026-06-01').year)": "2026",
    "line.at(3.0)": 6.0,
}


def test_ordinary_code_that_goes_on_from_an_earlier_cell_runs(asked: Trial) -> None:
    """A function imported one cell earlier and a method of an own class were refused; for a library that is not
    installed, an approval was offered.
    """
    asked.ask("Fit it.", (cell(EARLIER),), tuple(map(cell, LATER)), (cell("import no_such_library"), cell("help(len)")))
    *_, missing, helped = told = asked.told
    assert [one["status"] for one in told] == ["ok"] * (len(LATER) + 1) + ["error", "ok"]
    assert [one.get("result") for one in told[1:-2]] == list(LATER.values())
    assert "No module named 'no_such_library'" in missing["traceback"]
    assert "number of items" in helped["text"]


def test_a_time_before_the_first_measurement_is_told_with_the_first(asked: Trial) -> None:
    """ "Ask for more" led in the wrong direction; and of a task that is not there all that are were not told."""
    asked.ask(
        "How was it?",
        (
            (SERIES[0], {"parameter_name": "t1", "until": "2020-01-01"}),
            ("search_task_results", {"until": "2020-01-01"}),
            ("search_task_results", {"task_name": "CheckReadout"}),
        ),
    )
    series, results, task = asked.told
    assert "The first one is from 20" in series["try_instead"]
    assert "The first result of any task is from 20" in results["try_instead"]
    assert "CheckT1" in task["try_instead"].partition("Known: ")[2]


def test_what_is_cut_says_so_and_limits_stand_with_their_tools(asked: Trial) -> None:
    """21,876 results called themselves "All rows", `_rows: 5000`; the fourth series of one qubit was refused by a limit
    that stood nowhere.
    """
    one = "get_parameter_timeseries"
    search = ("search_task_results", {"since": "90d", "last_n": 20})
    asked.ask("How is Q3?", (search, ("describe", {"names": [one]})))
    results, described = asked.told
    assert results["results"]["_rows"] == 20
    assert "newest 20 of" in results["cut"]
    assert "All rows" not in results["_note"]
    assert described[one]["calls_per_question"] == 3
    limits = {spec.name: spec.max_calls_per_turn for spec in BUILTIN_TOOLS if spec.max_calls_per_turn}
    offered = {
        tool["function"]["name"]: tool["function"]["description"] for tool in asked.server.requests[-1].body["tools"]
    }
    told = {name: text for name, text in offered.items() if name in limits}
    assert {"get_qubit_params", one} == {*told}
    assert [name for name, text in told.items() if f"≤ {limits[name]} calls a question." not in text] == []
