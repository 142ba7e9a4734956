from __future__ import annotations

import asyncio
import builtins
import sys
import warnings
import webbrowser
from collections.abc import Callable
from threading import Thread
from typing import Any

import plotly.io as pio
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.domain.events import ToolFinished
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.tools.analysis import MAX_TEXT
from tests.patience import PATIENCE_S, until
from tests.session.conversation import conversation, parts_with

Run = Callable[[str], CellRun]


@pytest.fixture(params=["outermost", "nested"])
def run(request: pytest.FixtureRequest, shell: InteractiveShell, host: InlineCellHost) -> Run:
    """Runs code from outside the shell (the command line), and from within a cell of the person's (a magic)."""

    def directly(code: str) -> CellRun:
        return host.run_here(CellRequest("r", "c", code))

    def from_a_cell(code: str) -> CellRun:
        shell.user_ns["_directly"] = directly
        shell.run_cell(f"_made = _directly({code!r})").raise_error()
        made: CellRun = shell.user_ns["_made"]
        return made

    return directly if request.param == "outermost" else from_a_cell


def kinds(run: CellRun) -> list[str]:
    return [str(output["output_type"]) for output in run.outputs]


def test_everything_that_a_cell_shows_is_captured(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    made = run(
        "import sys\nprint('out')\nprint('err', file=sys.stderr)\nfrom IPython.display import display, Markdown\n"
        "display(Markdown('**bold**'))\n6 * 7\n"
    )

    assert made.status is CellStatus.OK
    assert made.text == "out\nerr\n"
    assert made.value == 42
    assert kinds(made) == ["stream", "stream", "display_data", "execute_result"]
    assert made.outputs[2]["data"]["text/markdown"] == "**bold**"
    assert made.outputs[3]["data"]["text/plain"] == "42"
    assert made.elapsed_s > 0
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "")


def test_the_persons_history_and_results_stay_theirs(shell: InteractiveShell, run: Run) -> None:
    shell.run_cell("123", store_history=True)
    before = dict(shell.user_ns["_oh"])
    count = shell.execution_count

    run("6 * 7")

    assert shell.user_ns["_oh"] == before
    assert shell.execution_count in {count, count + 0}


def test_hooks_of_the_shell_are_as_before(shell: InteractiveShell, host: InlineCellHost) -> None:
    def state() -> Any:
        return (
            sys.displayhook,
            shell.display_trap.hook,
            sys.stdout,
            set(vars(shell)) & {"showtraceback", "transform_cell"},
        )

    before = state()

    host.run_here(CellRequest("r", "c", "1 / 0"))

    assert state() == before


def test_a_table_as_last_expression(run: Run) -> None:
    made = run("import pandas as pd\ntable = pd.DataFrame({'qid': ['3'], 't1': [81.2]})\ntable\n")

    assert made.value == {
        "type": "DataFrame",
        "rows": 1,
        "columns": ["qid", "t1"],
        "records": [["3", 81.2]],
    }
    assert "text/html" in made.outputs[-1]["data"]
    assert {"table"} <= set(made.created)


@pytest.mark.parametrize("last", ["fig", "fig.show()"])
def test_a_plotly_figure_is_json_only_and_opens_no_browser(
    run: Run, last: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(webbrowser, "get", lambda *name: opened.append(name))
    monkeypatch.setattr(webbrowser, "open", lambda *url: opened.append(url))
    chosen = pio.renderers.default

    pio.renderers.default = "json"
    try:
        made = run(
            "import plotly.graph_objects as go\n"
            f"fig = go.Figure(go.Scatter(y=[1, float('nan')]), layout={{'title': {{'text': 'T1'}}}})\n{last}\n"
        )
        assert pio.renderers.default == "json"
    finally:
        pio.renderers.default = chosen

    assert opened == []
    shown = [output for output in made.outputs if output["output_type"] != "stream"]
    assert [set(output["data"]) for output in shown] == [{PLOTLY_MIME}]
    (chart,) = made.charts
    assert chart.title == "T1"
    assert chart.data[0]["y"] == [1, None]
    assert capsys.readouterr().out == ""


def test_a_matplotlib_figure_is_captured_and_closed(run: Run) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    theirs = plt.figure()

    made = run("import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nplt.figure()\nfig\n")

    images = [output["data"]["image/png"] for output in made.outputs if "image/png" in output.get("data", {})]
    assert len(images) == 2
    assert all(image.startswith("iVBOR") for image in images)
    assert plt.get_fignums() == [theirs.number]
    plt.close(theirs)


def test_a_figure_of_an_earlier_cell_and_one_that_cannot_be_drawn(run: Run) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    run("import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\n")

    again = run("fig")
    broken = run("ax.set_title(r'$\\frac{$')\nfig")

    assert sum("image/png" in output.get("data", {}) for output in again.outputs) == 1
    assert broken.status is CellStatus.OK
    assert "could not be drawn" in broken.text


def test_code_that_raises_gives_the_lines_of_the_cell_and_nothing_on_the_screen(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    made = run("import pandas as pd\ndef f():\n    return pd.DataFrame({'a': [1]})['b']\nprint('before')\nf()\n")

    assert made.status is CellStatus.ERROR
    assert made.traceback.splitlines() == [
        "line 5: f()",
        "line 3, in f: return pd.DataFrame({'a': [1]})['b']",
        "KeyError: 'b'",
    ]
    assert made.text == "before\n"
    assert made.value is None
    assert "f" in made.created
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "")


def test_a_traceback_of_a_thousand_calls_is_short(
    run: Run, shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def structured_traceback(*of: object, **_: object) -> list[str]:  # IPython's own takes ten seconds
        asked.append(of)
        return []

    monkeypatch.setattr(shell.InteractiveTB, "structured_traceback", structured_traceback)
    made = run("def f(n):\n    return f(n + 1)\nf(0)\n")
    assert asked == []

    assert len(made.traceback.splitlines()) < 12
    assert made.traceback.splitlines()[-1].startswith("RecursionError")


def test_code_that_is_no_python(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    for code in ("x = (\n", "def f(:\n  pass", "'unfinished", "  x = 1\n y = 2", "x = ?"):
        made = run(code)
        assert made.status is CellStatus.ERROR, code
        assert "Error" in made.traceback, code
        assert made.traceback.startswith("line "), code
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "")


def test_an_interrupt_in_the_code(run: Run) -> None:
    made = run("print('a')\nraise KeyboardInterrupt\n")

    assert made.status is CellStatus.INTERRUPTED
    assert made.text == "a\n"


def test_await_is_refused_with_the_reason(run: Run) -> None:
    made = run("import asyncio\nawait asyncio.sleep(0)\n")

    assert made.status is CellStatus.REJECTED
    assert "await" in str(made.reason)
    assert made.created == ()


def test_an_exit_in_the_code_ends_nothing(shell: InteractiveShell, run: Run) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # IPython warns that this is not the way out
        made = run("raise SystemExit(3)\n")

    assert made.status is CellStatus.ERROR
    assert "SystemExit: 3" in made.traceback
    assert not shell.exit_now if hasattr(shell, "exit_now") else True
    assert run("1 + 1").value == 2


def test_an_object_shows_itself_and_is_not_looked_into(shell: InteractiveShell, run: Run) -> None:
    class Instrument:
        def __repr__(self) -> str:
            return "an instrument"

    shell.user_ns["awg"] = Instrument()

    made = run("awg")

    assert (made.status, made.value) == (CellStatus.OK, None)
    assert made.outputs[-1]["data"] == {"text/plain": "an instrument"}


def test_the_shells_prompts_and_magics_run(shell: InteractiveShell, run: Run) -> None:
    made = run(">>> names = %who_ls int\n>>> n = 2\n>>> n\n")

    assert (made.status, made.value, made.created) == (CellStatus.OK, 2, ("names", "n"))
    assert run("%magic_that_is_none").status is CellStatus.ERROR


def test_nothing_that_a_page_would_execute_is_shown(run: Run) -> None:
    made = run(
        "from IPython.display import HTML, SVG, Javascript, display\n"
        "display(Javascript('alert(1)'), HTML('<b onclick=alert(1)>shown</b><script>alert(1)</script>'))\n"
        "SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>')\n"
    )

    assert made.status is CellStatus.OK
    formats = {kind for output in made.outputs for kind in output["data"]}
    assert formats <= {"text/plain", "text/html"}
    assert "alert" not in "".join(output["data"].get("text/html", "") for output in made.outputs)
    assert any("<b>shown</b>" in output["data"].get("text/html", "") for output in made.outputs)


def test_names_that_a_cell_makes(host: InlineCellHost, shell: InteractiveShell, run: Run) -> None:
    shell.user_ns["theirs"] = 1

    assert run("a = [theirs]\nfor i in range(3): pass\nb = 2\n").created == ("a", "b")
    assert run("a = [5]\n").created == ("a",)
    assert shell.user_ns["theirs"] == 1


# --- across threads


def on_a_thread(host: InlineCellHost, jobs: list[Callable[[], None]], code: str) -> Any:
    outcome: list[Any] = []

    def work() -> None:
        try:
            outcome.append(asyncio.run(host.run(CellRequest("r", "c", code), jobs.append, lambda _: None)))
        except BaseException as error:  # noqa: BLE001 - looked at by the test
            outcome.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    until(lambda: jobs)
    return thread, outcome


def test_an_interrupt_that_hits_the_host_itself_does_not_end_the_agents_loop(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> CellRun:
        raise KeyboardInterrupt

    monkeypatch.setattr(InlineCellHost, "run_here", interrupted)
    jobs: list[Callable[[], None]] = []
    thread, outcome = on_a_thread(InlineCellHost(shell, Namespace(shell.user_ns)), jobs, "1")

    with pytest.raises(KeyboardInterrupt):
        jobs[0]()
    thread.join(PATIENCE_S)

    (made,) = outcome
    assert isinstance(made, CellRun)
    assert made.status is CellStatus.INTERRUPTED


def test_a_failure_of_the_host_reaches_the_agent(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> CellRun:
        raise ValueError("broken host")

    monkeypatch.setattr(InlineCellHost, "run_here", broken)
    jobs: list[Callable[[], None]] = []
    thread, outcome = on_a_thread(InlineCellHost(shell, Namespace(shell.user_ns)), jobs, "1")

    jobs[0]()
    thread.join(PATIENCE_S)

    assert [type(error) for error in outcome] == [ValueError]


# --- what the model gets of it


def asked(shell: InteractiveShell, snapshot: Any, *codes: str) -> list[ToolResult]:
    steps = [call_reply(("execute_python_analysis", {"code": code})) for code in codes]
    llm = ScriptedLLM([*steps, text_reply("done")])
    with conversation(shell, parts_with(llm, snapshot)) as copilot:
        copilot.ask("Compute.")
        return [stamped.event.result for stamped in copilot.turns[0].events if isinstance(stamped.event, ToolFinished)]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from tests.session.conversation import small_demo

    return small_demo(tmp_path_factory.mktemp("inline"))


@pytest.mark.long
def test_ten_megabytes_of_print_are_bounded_for_the_model(shell: InteractiveShell, snapshot: Any) -> None:
    (result,) = asked(shell, snapshot, "print('x' * 10_000_000)\n")

    assert len(result.content) < MAX_TEXT + 500
    assert "characters left out" in result.content


def test_the_copilots_names_may_be_bound_again_and_the_persons_stay(shell: InteractiveShell, snapshot: Any) -> None:
    shell.user_ns["limit"] = 5

    first, again, clash = asked(shell, snapshot, "level = 1.5\nlevel", "level = 2.5\nlevel", "limit = 6\nlimit")

    assert first.ok
    assert again.ok
    assert clash.ok
    assert '"renamed":{"limit":"limit_2"}' in clash.content
    assert clash.cell is not None
    assert clash.cell.request.code == "limit_2 = 6\nlimit_2"
    assert (shell.user_ns["limit"], shell.user_ns["limit_2"]) == (5, 6)
    assert shell.user_ns["level"] == 2.5


def test_the_shell_is_whole_afterwards(shell: InteractiveShell, snapshot: Any) -> None:
    asked(shell, snapshot, "1 / 0", "x = 2\nx")

    assert shell.run_cell("y = 3\ny").result == 3
    assert builtins.print is print


def test_a_cell_tells_no_loop_variables_and_no_warnings_about_code(run: Run) -> None:
    with pytest.warns(RuntimeWarning) as told:  # pytest takes what the cell would print
        made = run(
            "import warnings\nimport numpy as np\nimport pandas as pd\n"
            "for category in (FutureWarning, DeprecationWarning, pd.errors.PerformanceWarning):\n"
            "    warnings.warn('about code', category)\n"
            "rates = np.array([1.0]) / np.array([0.0])\n"
            "for place, rate in enumerate(rates): total = rate"
        )
    assert made.created == ("warnings", "np", "pd", "rates", "total")
    assert ["divide by zero" in str(one.message) for one in told] == [True]
