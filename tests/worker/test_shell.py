"""What code in a session shows, as IPython does, and when."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import nbformat
import pytest

from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.result import JobResult
from tests.patience import until

Run = Callable[..., JobResult]


@pytest.fixture
def run(worker: IsolatedWorker) -> Iterator[Run]:
    session = worker.session({})

    def run_now(code: str, show: Any = None) -> JobResult:
        result = asyncio.run(session.run(code, show))
        cell = nbformat.v4.new_code_cell(code, outputs=[nbformat.from_dict(each) for each in result.outputs])
        nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))
        return result

    yield run_now
    session.close()


def test_tables_texts_and_results(run: Run) -> None:
    first, second, third = run("import pandas as pd\nprint('p')\ndisplay('d')\npd.DataFrame({'v': [1.5]})").outputs
    assert first == {"output_type": "stream", "name": "stdout", "text": "p\n"}
    assert second == {"output_type": "display_data", "data": {"text/plain": "'d'"}, "metadata": {}}
    assert third["output_type"] == "execute_result"
    assert "<td>1.5</td>" in third["data"]["text/html"]
    assert third["data"]["text/plain"] == "     v\n0  1.5"
    assert run("pd.DataFrame({'v': [1.5]});").outputs == ()
    [styled] = run("pd.DataFrame({'v': [1.5]}).style.map(lambda v: 'background-color: red')").outputs
    assert "background-color: red" in styled["data"]["text/html"]
    [formula] = run("from IPython.display import Latex\nLatex('$T_1$')").outputs
    assert formula["data"]["text/latex"] == "$T_1$"


def test_figures_of_matplotlib(run: Run) -> None:
    [picture] = run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('µs');").outputs
    assert base64.b64decode(picture["data"]["image/png"]).startswith(b"\x89PNG")
    assert run("1").outputs[0]["data"] == {"text/plain": "1"}
    assert len(run("_, axes = plt.subplots()\naxes.plot([1])\nplt.show()\nplt.plot([2]);").outputs) == 2
    *_, said = run("plt.title('$x');\nplt.gcf().text(0, 0, '$\\\\frac$');").outputs
    assert said["text"].startswith("A figure could not be drawn: ")


def test_figures_of_plotly(run: Run) -> None:
    result = run("import plotly.express as px\npx.line(y=[1, 2]).show()\nprint('between')\npx.line(y=[3])")
    assert [output["output_type"] for output in result.outputs] == ["display_data", "stream", "display_data"]
    assert result.outputs[0]["data"].keys() == {PLOTLY_MIME, "text/plain"}
    assert [chart.figure()["data"][0]["y"] for chart in result.charts] == [[1, 2], [3]]


def test_what_is_shown_comes_when_it_is(run: Run) -> None:
    """While the code sleeps, its first lines have been heard."""
    heard: list[tuple[str, Any]] = []
    code = "import time\nprint('first')\nprint('part', end='', flush=True)\ntime.sleep(0.4)\nprint(2)"
    ended: list[JobResult] = []
    thread = Thread(target=lambda: ended.append(run(code, lambda *message: heard.append(message))))
    thread.start()
    until(lambda: len(heard) == 2)
    assert not ended
    thread.join()
    assert [content["text"] for _, content in heard] == ["first\n", "part", "2\n"]


def test_a_display_that_changes_and_a_bar_of_progress(run: Run) -> None:
    code = "shown = display('one', display_id=True)\nshown.update('two')\nfor n in range(3):\n    print(n, end='\\r')"
    first, second = run(code).outputs
    assert (first["data"]["text/plain"], second["text"]) == ("'two'", "2\r"[:1])
    cleared = run("from IPython.display import clear_output\nprint('a')\nclear_output(wait=True)\nprint('b')")
    assert [output["text"] for output in cleared.outputs] == ["b\n"]


def test_an_error_shows_the_lines_of_the_code_alone(run: Run) -> None:
    run("import pandas as pd\ndef late(frame):\n    return frame['no']")
    result = run("print('p')\nlate(pd.DataFrame({'v': [1]}))")
    printed, error = result.outputs
    assert (printed["text"], error["ename"], error["evalue"]) == ("p\n", "KeyError", "'no'")
    text = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error["traceback"]))
    assert "pandas" not in text.replace("pandas as pd", "")
    for line in ("This cell, line 2", "An earlier cell, line 3", "return frame['no']"):
        assert line in text
    assert result.traceback.startswith("line 2: late(")
    assert run("1 +").outputs[0]["ename"] == "SyntaxError"
    deep = run("def again(n):\n    return again(n + 1)\nagain(0)").outputs[0]
    assert (deep["ename"], len("".join(deep["traceback"])) < 20_000) == ("RecursionError", True)


def test_a_page_gets_no_script_and_no_key(run: Run) -> None:
    code = (
        "from IPython.display import HTML, Javascript, SVG\n"
        "display(HTML('<b onclick=\"steal()\">bold</b><script>steal()</script>'))\n"
        "display(Javascript('steal()'))\nprint('OPENAI_API_KEY=sk-a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1')"
    )
    shown = repr(run(code).outputs)
    assert "bold" in shown
    assert "onclick" not in shown
    assert "application/javascript" not in shown
    assert "a1a1a1" not in shown


def test_too_much_is_left_out_and_said(run: Run) -> None:
    code = "for _ in range(3):\n    display({'text/plain': 'x' * 4_500_000}, raw=True)"
    *shown, said = run(code).outputs
    assert len(shown) == 2
    assert said["text"] == "An output of 4.5 MB is left out: all together may have 10 MB.\n"
    assert run("print('y' * 3_000_000)").output.endswith("cut at 100 KiB")
