"""`%copilot` and `%%copilot` in a real kernel."""

import pytest

from tests.ui.kernel import Kernel, as_new

pytestmark = pytest.mark.kernel

LOST = "Q45, Q42, Q59, Q08 and Q56"


def test_code_of_the_persons_own_is_left_alone(warm_kernel: Kernel) -> None:
    with as_new(warm_kernel) as own:
        own.run('data = [1, 2]; copilot_was = "here"; t1_change = 5')
        loaded = own.run("%load_ext qdash_jupyter")
        assert loaded.status == "ok"
        assert LOST in own.run("%%copilot\nWhich qubits lost T1 in the last 30 days?").text
        assert own.run("print(data, t1_change, type(copilot.data).__name__)").stdout == "[1, 2] 5 FrameStore\n"
        own.run("del data")
        assert own.run("print(data is copilot.data)").stdout == "True\n"
        own.run("%unload_ext qdash_jupyter")
        assert own.run("print('copilot' in dir(), 'data' in dir())").stdout == "False False\n"
        assert "not found" in own.run("%copilot help").text


def test_loading_again_is_silent(demo_kernel: Kernel) -> None:
    shown = demo_kernel.run("%reload_ext qdash_jupyter")
    assert (shown.status, shown.stdout, shown.bundles) == ("ok", "", [])


def test_status_says_database_chip_and_that_there_is_no_model(demo_kernel: Kernel) -> None:
    text = demo_kernel.run("%copilot status").text
    assert "demo data (generated), as of 2026-06-30" in text
    assert "64Q-demo (project demo, 64 qubits)" in text
    assert "no language model" in text
    assert "this kernel" in text


def test_a_question_is_answered_with_chart_data_and_code(demo_kernel: Kernel) -> None:
    shown = demo_kernel.run("%%copilot\nWhich qubits lost T1 in the last 30 days?")
    assert shown.status == "ok"
    assert LOST in shown.text
    kinds = [next(iter(bundle)) for bundle in shown.bundles]
    assert kinds == ["text/markdown", "application/vnd.plotly.v1+json", "text/markdown"]
    assert "Assessment: ⚠ warning" in shown.bundles[0]["text/markdown"]
    assert "changes(copilot.data" in shown.bundles[2]["text/markdown"]
    assert (shown.stdout, shown.stderr) == ("", "")
    names = demo_kernel.run("print(type(t1_change).__name__, list(copilot.data), data is copilot.data)").stdout
    assert names == "DataFrame ['t1'] True\n"
    dtypes = demo_kernel.run(
        's = data["t1"]["timeseries"]; print(s.dtypes["t"], s.dtypes["v"], s.attrs["units"]["v"], data["t1"]["unit"])'
    )
    assert dtypes.stdout == "datetime64[ms, UTC] float64 μs μs\n"


def test_a_result_is_judged_in_one_line(demo_kernel: Kernel) -> None:
    shown = demo_kernel.run("%copilot analyze CheckT1 Q42")
    assert "Assessment: ⚠ warning" in shown.text
    assert "CheckT1 Q42: t1 23.6 ± 1.1 μs (below good, down −54%)" in shown.text
    earlier = demo_kernel.run("%copilot analyze CheckT1 42 --execution 20260620-000 What's wrong?")
    assert "Run 20260620-000" in earlier.text
    asked = demo_kernel.run("print(copilot.turns[-1].question); print(copilot.analyze('CheckT1', 42).assessment)")
    assert asked.stdout == "What's wrong?\nwarning\n"


def test_ask_in_one_line_and_in_japanese(demo_kernel: Kernel) -> None:
    assert LOST in demo_kernel.run("%copilot ask Which qubits lost T1 in the last 30 days?").text
    assert LOST in demo_kernel.run("%copilot Which qubits lost T1 in the last 30 days?").text
    japanese = demo_kernel.run("%%copilot\n過去30日でT1が低下した量子ビットは?").text
    assert "Q45、Q42、Q59、Q08、Q56" in japanese


def test_an_offered_question_is_picked_by_its_number(demo_kernel: Kernel) -> None:
    offered = demo_kernel.run("%copilot ask which qubits blorp T1?").text
    assert "Not understood: “blorp”." in offered
    assert "1. heatmap of T1 · newest values" in offered
    demo_kernel.run("%copilot ask --pick 1")
    demo_kernel.run("turn = copilot.turns[-1]")
    assert demo_kernel.run("print(turn.question)").stdout == "heatmap of T1 · newest values\n"
    assert "There is no suggestion 2." in demo_kernel.run("%copilot ask --pick 2").text


def test_a_question_is_taken_as_it_is_written(demo_kernel: Kernel) -> None:
    demo_kernel.run("x = 5")
    assert "can't answer this question" in demo_kernel.run("%copilot ask Is {x} or $x more?").text
    demo_kernel.run("turn = copilot.turns[-1]")
    assert demo_kernel.run("print(turn.question)").stdout == "Is {x} or $x more?\n"


def test_a_figure_of_matplotlib_is_shown(demo_kernel: Kernel) -> None:
    shown = demo_kernel.run(
        "from qdash_jupyter.ui.display import image_bundles\n"
        "from qdash_jupyter.cells.inline import InlineCellHost\n"
        "from qdash_jupyter.domain.cell_run import CellRequest\n"
        'code = "import matplotlib.pyplot as plt\\nfig, ax = plt.subplots()\\nax.plot([1, 2])\\nfig"\n'
        "host = InlineCellHost(get_ipython(), copilot._conversation.kernel.namespace)\n"
        'run = host.run_here(CellRequest("r", "c", code))\n'
        'print(run.status, ["image/png" in bundle for bundle in image_bundles((run,))])'
    )
    assert shown.stdout == "ok [True]\n"


def test_data_lists_what_was_fetched(demo_kernel: Kernel) -> None:
    [bundle] = demo_kernel.run("%copilot data").bundles
    assert "get_chip_parameter_timeseries" in bundle["text/html"]


def test_data_refresh_says_what_came_of_each_and_never_replaces_what_was_changed(demo_kernel: Kernel) -> None:
    demo_kernel.run(
        "topology = copilot.tools.get_chip_topology(); summary = copilot.tools.get_chip_summary()\n"
        "topology.frame['mine'] = 1"
    )
    told = demo_kernel.run("%copilot data refresh topology chip_summary").text
    assert "`data['topology']`: kept, because you changed it; the new data is in" in told
    assert "`data['chip_summary']`: version 2, same data" in told
    [bundle] = demo_kernel.run("%copilot data refresh").bundles
    everything = bundle["text/markdown"].splitlines()
    keys = demo_kernel.run("print(*copilot.data)").stdout.split()
    assert [line.split("`")[1] for line in everything] == [f"data['{key}']" for key in keys]
    kept = demo_kernel.run("print(data['topology'] is topology, 'mine' in topology.frame, summary.version)")
    assert kept.stdout == "True True 1\n"
    again = demo_kernel.run("summary.refresh()")
    assert "version 4" in again.bundles[0]["text/html"]
    assert "version 4, same data" in again.bundles[0]["text/plain"]


def test_data_is_fetched_again_from_time_to_time_until_that_is_ended(demo_kernel: Kernel) -> None:
    demo_kernel.run(
        "import time; from datetime import timedelta; from qdash_jupyter.ui import refreshing\n"
        "shortest, refreshing.SHORTEST = refreshing.SHORTEST, timedelta(milliseconds=1)\n"
        "copilot.tools.get_chip_summary(); before = data['chip_summary'].version"
    )
    begun = demo_kernel.run("%copilot data refresh every 0.2s chip_summary")
    assert "Fetching `data['chip_summary']` every 0.2 s." in begun.text
    demo_kernel.run(
        "refreshing.SHORTEST, patience = shortest, time.monotonic() + 90\n"
        "while data['chip_summary'].version < before + 2 and time.monotonic() < patience: time.sleep(0.1)"
    )
    told = demo_kernel.run("%copilot data").bundles[1]["text/markdown"]
    assert "`data['chip_summary']`: version" in told
    assert "same data" in told
    assert "Automatic refresh is off." in demo_kernel.run("%copilot data refresh off").text
    assert "Automatic refresh was already off." in demo_kernel.run("%copilot data refresh off").text
    after = demo_kernel.run(
        "time.sleep(0.5); last = data['chip_summary'].version; time.sleep(1)\n"
        "print(last == data['chip_summary'].version, last >= before + 2)"
    )
    assert after.stdout == "True True\n"


WRONG = [
    ("%%copilot\n", "empty"),
    ("%%copilot\n   \n", "The question is empty."),
    ("%%copilot\n" + "T1 " * 33_334, "the limit is 20,000"),
    ("%copilot ask Which qubits of chip 64Q-dmo lost T1?", "Did you mean 64Q-demo?"),
    ("%copilot ask Trend of T1 of qubit 99", "There is no qubit 'Q99'"),
    ("%copilot ask Which qubits lost t1_averge?", "There is no parameter 't1_averge'"),
    ("%copilot use --snapshot /nowhere", "/nowhere isn't a snapshot"),
    ("%copilot use --mongo mongodb://someone:hunter2@127.0.0.1:1/qdash", "127.0.0.1:1"),
    ("%copilot use --mongo nonsense", "mongodb://"),
    ("%copilot nonsense", "There is no command `%copilot nonsense`"),
    ("%%copilot --chip 64Q-dmo\nWhich qubits lost T1?", "There is no chip '64Q-dmo'"),
    ("%copilot new chips?", "takes no arguments"),
    ("%copilot chip 64Q-dmo", "There is no chip '64Q-dmo'"),
    ("%copilot export /nowhere/answer.ipynb", "Can't write /nowhere/answer.ipynb"),
    ("%copilot undo", "This answer added no cells."),
    ("%copilot analyze CheckT1", "%copilot analyze CheckT1 7"),
    ("%copilot analyze CheckT1 7 --nonsense x", "--nonsense"),
    ("%copilot analyze CheckT9 7", "Did you mean CheckT1"),
    ("%copilot analyze CheckT1 99", "There is no qubit 'Q99'"),
    ("%copilot data nonsense", "There is no command `%copilot data nonsense`"),
    ("%copilot model nonsense", "There is no model 'nonsense' in the settings. Known: offline."),
    ("%copilot data refresh nonsense", "There is no data 'nonsense'"),
    ("%copilot data refresh every 10m nonsense", "There is no data 'nonsense'"),
    ("%copilot data refresh every", "Write it as 30s, 10m or 2h."),
    ("%copilot data refresh every 2s", "'2s' isn't a period of at least 10 s."),
    ("%copilot use --nonsense", "--nonsense"),
]
"""What is typed, and what it says."""


def test_bad_input_is_told_clearly_and_nothing_is_lost(demo_kernel: Kernel) -> None:
    said = {code: demo_kernel.run(code).text for code, _ in WRONG}
    assert {code[:80]: said[code] for code, told in WRONG if told not in said[code]} == {}
    everything = "\n".join(said.values())
    for never in ("Traceback", "hunter2", "qdash_jupyter/"):
        assert never not in everything
    assert LOST in demo_kernel.run("%copilot ask Which qubits lost T1 in the last 30 days?").text


def test_a_question_while_one_is_running(demo_kernel: Kernel) -> None:
    busy = demo_kernel.run(
        'turn = copilot.start("Which qubits lost T1 in the last 30 days?")\n%copilot ask Heatmap of T1'
    )
    assert "still running" in busy.text
    assert LOST in demo_kernel.run("turn.wait(); print(turn.result().text)").stdout


def test_interrupt_ends_the_question_and_nothing_else(demo_kernel: Kernel) -> None:
    """The signal that JupyterLab's stop button sends, while the magic waits for a read that takes long."""
    shown = demo_kernel.run(
        "import os, signal, threading\n"
        "from tests.patience import main_thread_waits, until\n"
        "let_go = threading.Event()\n"
        "reader = copilot._conversation.parts().reader; read = reader.parameter_series\n"
        "def pressed(*a, **k):\n"
        "    until(main_thread_waits); os.kill(os.getpid(), signal.SIGINT); let_go.wait(); return read(*a, **k)\n"
        "reader.parameter_series = pressed\n"
        'get_ipython().run_cell_magic("copilot", "", "Which qubits lost T1 in the last 30 days?")\n'
        "let_go.set(); del reader.parameter_series",
    )
    assert "Stopped by you." in shown.text
    assert LOST in demo_kernel.run("%copilot ask Which qubits lost T1 in the last 30 days?").text
