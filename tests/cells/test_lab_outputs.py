"""What is captured of a cell is what the notebook stores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.cells.lab_bench import Lab
from tests.patience import until

pytestmark = pytest.mark.kernel

SHOW = "from IPython.display import display, update_display, clear_output, Markdown, HTML, JSON\n"
PLOTLY = "import plotly.graph_objects as go\nfig = go.Figure(go.Scatter(y=[1, float('nan'), 3]))\n"
PYPLOT = "import matplotlib.pyplot as plt\n"
THREAD = "from threading import Thread\n"
SIX = "import sys\nfor n in range(6):\n"

CELLS = {
    "a print": "print('a')",
    "a print at once": "print('first thing')\nprint('last thing', end='')",
    "prints, slowly": "import time\nfor n in range(5):\n    print(n, flush=True)\n    time.sleep(0.06)",
    "prints, not flushed": "import time\nfor n in range(5):\n    print(n)\n    time.sleep(0.06)",
    "stderr": "import sys\nprint('err', file=sys.stderr)",
    "both streams": f"{SIX}    print(n, file=sys.stderr if n % 2 else sys.stdout, flush=True)",
    "both streams, not flushed": f"{SIX}    print(n, file=sys.stderr if n % 2 else sys.stdout)",
    "a warning": "import warnings\nwarnings.simplefilter('always')\nwarnings.warn('careful')",
    "a log": "import logging\nlogging.getLogger('x').warning('logged')",
    "carriage returns": "for n in range(0, 101, 20):\n    print(f'\\r{n:3d} %', end='', flush=True)\nprint()",
    "carriage returns, shorter": "print('a long line\\rshort', end='', flush=True)\nprint(' \\b\\b!\\rS')",
    "a progress bar": "import sys\nfor n in range(20):\n    sys.stderr.write('\\r' + '#' * n)\n    sys.stderr.flush()",
    "a last expression": "6 * 7",
    "a last expression and a print": "print('first')\n6 * 7",
    "an expression that is not shown": "6 * 7;",
    "None": "None",
    "unicode": "print('量子ビット μs −1 🙂')\n'量子'",
    "a display": f"{SHOW}display(Markdown('**bold**'))",
    "displays and prints": f"{SHOW}print(1)\ndisplay(HTML('<b>x</b>'))\nprint(2)\ndisplay(1, 'two')",
    "JSON that changes": f"{SHOW}values = [1, 2]\ndisplay({{'application/json': values}}, raw=True)\nvalues.append(3)",
    "an update": f"{SHOW}h = display('old', display_id=True)\nprint('between')\nh.update('new')",
    "an update of two": f"{SHOW}for n in 'ab':\n    display(n, display_id='i')\nupdate_display('c', display_id='i')",
    "an update of another cell's": f"{SHOW}update_display('changed', display_id='i')\nprint('here')",
    "cleared": f"{SHOW}print('gone')\nclear_output()\nprint('left')",
    "cleared later": f"{SHOW}print('gone')\nclear_output(wait=True)\nprint('left')",
    "cleared at the end": f"{SHOW}print('stays')\nclear_output(wait=True)",
    "cleared and updated": f"{SHOW}h = display('a', display_id=True)\nclear_output()\nprint('left')\nh.update('b')",
    "an animation": f"{SHOW}for n in range(10):\n    clear_output(wait=True)\n    display(n)",
    "a table": "import pandas as pd\npd.DataFrame({'qid': ['1', '2'], 't1': [80.5, float('nan')]})",
    "a styled table": "import pandas as pd\npd.Series([1.5, 2.5], name='t1').describe()",
    "a plotly figure": f"{PLOTLY}fig",
    "a plotly figure, shown": f"{PLOTLY}print('before')\nfig.show()\nprint('after')",
    "a matplotlib figure": f"{PYPLOT}plt.plot([1, 2, 3])",
    "two matplotlib figures": f"{PYPLOT}for n in range(2):\n    plt.figure()\n    plt.plot([n, 1])\nprint('drawn')",
    "an error": "print('before')\n1 / 0",
    "an error below": "def f():\n    raise KeyError('t1')\nf()",
    "an error that caused another": "try:\n    1 / 0\nexcept Exception as e:\n    raise ValueError('no') from e",
    "a value that cannot be shown": "class Shy:\n    def __repr__(self):\n        raise ValueError('shy')\nShy()",
    "no Python": "x = (",
    "an exit": "raise SystemExit(2)",
    "prints of a thread": f"{THREAD}t = Thread(target=print, args=('inside',))\nt.start()\nt.join()\nprint('end')",
    "displays of a thread": f"{SHOW}{THREAD}t = Thread(target=display, args=(Markdown('x'),))\nt.start()\nt.join()",
    "an await": "import asyncio\nprint('a')\nawait asyncio.sleep(0.01)\nprint('b')\n'c'",
    "many lines": "for n in range(4_000):\n    print(n)",
}


DIFFERS = ("plotly", "error", "exit", "Python", "JSON", "shy", "matplotlib", "update of another", "\\b", "not flushed")
"""Charts are Plotly's JSON alone, tracebacks have the frames of the cell, not every format is shown, and streams are
not gathered.
"""


def words(outputs: Sequence[dict[str, Any]]) -> list[Any]:
    return [
        (output["output_type"], output.get("name"), output.get("text") or output.get("data", {}).get("text/plain"))
        for output in outputs
    ]


@pytest.mark.parametrize("name", CELLS)
def test_shown_as_in_a_cell_of_the_persons(lab: Lab, name: str) -> None:
    asked = lab.ask(CELLS[name])

    run = asked.run()

    lab.until(lambda: asked.told[-1]["state"] == "ended")
    assert asked.outputs == run["outputs"]
    assert asked.told[-1]["execution_count"] == run["execution_count"]
    if not any(word in name or word in CELLS[name] for word in DIFFERS):
        assert words(run["outputs"]) == words(lab.person(CELLS[name]).done().outputs)


def test_what_a_thread_of_the_persons_prints_is_theirs(lab: Lab) -> None:
    code = "from threading import Thread\nThread(target=lambda: [gate.wait(90), print('theirs', flush=True)]).start()"
    theirs = lab.person(code).done()
    run = lab.ask("import time\ngate.set()\ntime.sleep(0.3)\nprint('ours')").run()

    assert run["text"] == "ours\n"
    until(lambda: theirs.text == "theirs\n")
    assert lab.person("gate.clear()").done().status == "ok"


def test_the_prints_of_a_cell_behind_another_are_never_lost(lab: Lab) -> None:
    for number in range(15):
        before = lab.person(f"print('theirs {number}')")
        asked = lab.ask(f"print('ours {number}')")
        after = lab.person(f"print('theirs too {number}')")

        assert asked.run()["text"] == f"ours {number}\n"
        assert (before.done().text, after.done().text) == (f"theirs {number}\n", f"theirs too {number}\n")


def kinds(outputs: list[dict[str, Any]]) -> list[list[str]]:
    return [sorted(output.get("data", {})) for output in outputs]


def test_charts_and_images(lab: Lab) -> None:
    chart = lab.ask(f"{PLOTLY}fig.update_layout(title='T1')").run()
    image = lab.ask(f"{PYPLOT}_ = plt.plot([1, 2])").run()

    assert kinds(chart["outputs"]) == [["application/vnd.plotly.v1+json", "text/plain"]], chart["outputs"]
    assert chart["charts"][0]["title"] == "T1"
    assert chart["charts"][0]["data"][0]["y"] == [1, None, 3]
    assert kinds(image["outputs"]) == [["image/png", "text/plain"]]


def test_what_the_person_chose_for_plotly_stays(lab: Lab) -> None:
    assert lab.person("import plotly.io as pio\npio.renderers.default = 'json'").done().status == "ok"
    run = lab.ask(f"{PLOTLY}fig.show()").run()

    assert kinds(run["outputs"]) == [["application/vnd.plotly.v1+json"]], run["outputs"]
    assert lab.value("pio.renderers.default") == "json"


def test_a_figure_that_no_backend_shows_comes_into_the_cell(lab: Lab) -> None:
    theirs = lab.person(f"{PYPLOT}plt.switch_backend('agg')\nkept = plt.figure()").done()
    assert theirs.outputs == []
    asked = lab.ask("fig, ax = plt.subplots()\nax.plot([1, 2])\nprint('drawn')")

    run = asked.run()

    assert kinds(run["outputs"])[-1] == ["image/png", "text/plain"]
    assert run["outputs"] == asked.outputs
    assert lab.value("plt.get_fignums() == [kept.number]") is True
    assert lab.person("%matplotlib inline").done().status == "ok"


def test_a_cell_that_prints_without_end_is_bounded(lab: Lab) -> None:
    assert len(lab.ask("for _ in range(11):\n    print('x' * 1_000_000)").run()["text"]) < 2_000_001


def test_names_and_values(lab: Lab) -> None:
    run = lab.ask("import pandas as pd\ntable = pd.DataFrame({'qid': ['3'], 't1': [81.2]})\nlevel = 2\ntable").run()

    assert run["value"]["records"] == [["3", 81.2]]
    assert {"table", "level"} <= set(run["created"]) | set(lab.value("sorted(_bench.namespace.own)"))
    assert lab.ask("level = 3").run()["created"] == ["level"]


def test_no_loop_variables_and_no_warnings_about_code(lab: Lab) -> None:
    filters = "str(__import__('warnings').filters)"
    before = lab.value(filters)
    run = lab.ask(
        "import warnings\nimport numpy as np\nfor category in (FutureWarning, DeprecationWarning):\n"
        "    warnings.warn('about code', category)\nrate = np.array([1.0]) / np.array([0.0])"
    ).run()
    assert "rate" in run["created"]
    assert "category" not in run["created"]
    assert "about code" not in str(run["outputs"]) + run["text"]
    assert "divide by zero" in run["text"]
    assert lab.value(filters) == before


HELD = "'sk-proj-' + 'Abc123def456ghi789'"
SHOWING_A_KEY = {
    "a print": "print(f'key {key} of Q012')",
    "a print to stderr": "import sys\nprint(f'key {key} of Q012', file=sys.stderr, flush=True)",
    "a last expression": "{'key': key, 'qid': 'Q012'}",
    "a table": "import pandas as pd\npd.DataFrame({'key': [key], 'qid': ['Q012']})",
    "a display": f"{SHOW}display({{'text/plain': f'{{key}} of Q012', 'text/html': f'{{key}} of Q012'}}, raw=True)",
    "an update": f"{SHOW}h = display('old', display_id=True)\nh.update(f'{{key}} of Q012')",
    "a figure": "import plotly.graph_objects as go\ngo.Figure(go.Scatter(y=[1], name=key), layout={'title': 'Q012'})",
    "an error": "raise ValueError(f'{key} of Q012')",
}


@pytest.mark.parametrize("code", SHOWING_A_KEY.values(), ids=SHOWING_A_KEY)
def test_a_key_stands_in_no_output_of_a_cell(lab: Lab, code: str) -> None:
    theirs = lab.person(f"key = {HELD}\nprint(key)").done()

    asked = lab.ask(code)
    run = asked.run()

    shown = str(asked.outputs)
    for text in (shown, str(run)):
        assert "[hidden]" in text
        assert "Q012" in text
        assert "Abc123" not in text
    assert "Abc123" in theirs.text, "cells of the person's are theirs"


FIRST, SECOND = "key[:11]", "key[11:]"
IN_PARTS = {
    "two prints": f"print({FIRST}, end='', flush=True)\nprint({SECOND}, 'of Q012')",
    "two prints, slowly": f"import time\nprint({FIRST}, end='')\ntime.sleep(0.5)\nprint({SECOND}, 'of Q012')",
    "to stderr": f"import sys\nfor part in ({FIRST}, {SECOND}, ' of Q012'):\n"
    "    print(part, end='', file=sys.stderr, flush=True)",
    "one by one": "for sign in key + ' of Q012':\n    print(sign, end='', flush=True)",
    "around an update": f"{SHOW}h = display(1, display_id=True)\nprint({FIRST}, end='', flush=True)\nh.update(2)\n"
    f"print({SECOND}, 'of Q012', flush=True)",
}


@pytest.mark.parametrize("code", IN_PARTS.values(), ids=IN_PARTS)
def test_a_key_that_is_printed_in_parts_is_masked_all_the_same(lab: Lab, code: str) -> None:
    lab.person(f"key = {HELD}").done()

    asked = lab.ask(code)
    run = asked.run()

    stored = asked.outputs
    assert run["outputs"] == stored
    for text in (str(stored), str(run)):
        assert "[hidden] of Q012" in text
        assert "sk-proj" not in text
        assert "Abc123" not in text


KEPT_BACK = {
    "at the end": ("print('task sk-', end='')", ["task sk-"]),
    "before a display": (f"{SHOW}print('sk-', end='')\ndisplay(1)\nprint('proj')", ["sk-", "1", "proj\n"]),
    "before the other stream": (
        "import sys\nprint('sk-', end='', flush=True)\nprint('e', file=sys.stderr, flush=True)\nprint('proj')",
        ["sk-", "e\n", "proj\n"],
    ),
    "before it is cleared": (f"{SHOW}print('sk-', end='', flush=True)\nclear_output()\nprint('left')", ["left\n"]),
    "before an error": ("print('sk-', end='')\n1 / 0", ["sk-", "ZeroDivisionError"]),
}


@pytest.mark.parametrize(("code", "shown"), KEPT_BACK.values(), ids=KEPT_BACK)
def test_what_was_no_key_after_all_is_shown_in_its_place(lab: Lab, code: str, shown: list[str]) -> None:
    asked = lab.ask(code)
    run = asked.run()

    stored = asked.outputs
    assert run["outputs"] == stored
    assert [one.get("text") or one.get("ename") or one["data"]["text/plain"] for one in stored] == shown
