"""Ordinary notebooks give in a session what they give in one process: the corpus is in `ordinary_cells`.

The user's cells run in a real kernel, the copilot's in a session beside it. The same cells run in a plain shell.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import struct
import subprocess
import sys
from base64 import b64decode
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

from qdash_jupyter.cells.told_names import words_in
from qdash_jupyter.worker.channel import Given
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.limits import WorkerLimits
from qdash_jupyter.worker.names_in import gathered
from tests.patience import PATIENCE_S
from tests.worker.conftest import without_wall
from tests.worker.corpus.ordinary_cells import NOTEBOOKS, Notebook

_ZERO = r"(?<=:\d\d)(\.0+)?\+00:00|(?<=:\d\d)\.0+(?=\")|T00:00:00(?=[\"+.])"
"""Of times: what does not say more, and is written in some places only."""
ROOT = Path(__file__).parents[2]
Record = dict[str, Any]
"""Of a cell: `printed` text, what was `shown`, its `error`, and its `names`, each with a description of its value."""


def described(value: Any, deep: int = 0) -> str:  # noqa: PLR0911 - one line for each kind
    """Type and whole content; equal for equal values."""
    import numpy as np
    import pandas as pd
    import plotly.graph_objects as go

    kind = type(value).__name__
    if isinstance(value, pd.DataFrame):
        columns = [described(value.iloc[:, place]) for place in range(value.shape[1])]
        return f"{kind} {described(value.columns)} {described(value.index)} {value.attrs} {columns}"
    if isinstance(value, pd.Series):
        return f"{kind} {value.name!r} {described(value.index)} {described(value.array)} {value.attrs}"
    if isinstance(value, (pd.Index, pd.api.extensions.ExtensionArray)):
        names = value.names if isinstance(value, pd.Index) else ""
        return f"{kind} {names} {value.dtype} {getattr(value, 'freq', None)} {value.tolist()}"
    if isinstance(value, np.ndarray):
        return f"{kind} {value.dtype} {value.shape} {value.tolist()}"
    if isinstance(value, go.Figure):
        text = json.dumps(json.loads(value.to_json()), sort_keys=True)
        return f"{kind} {re.sub(_ZERO, '', text)}"
    if isinstance(value, dict) and deep < 5:
        return f"{kind} {[(described(key, deep + 1), described(one, deep + 1)) for key, one in value.items()]}"
    if isinstance(value, (list, tuple)) and deep < 5:
        return f"{kind} {[described(one, deep + 1) for one in value]}"
    if isinstance(value, (set, frozenset)):
        return f"{kind} {sorted(map(repr, value))}"
    return f"{kind} {value!r}"


def told(bundle: Mapping[str, Any]) -> str:
    """Of what is shown: its plain text, the types of a chart's traces, or the size of a picture, whose text a session
    writes for the model.
    """
    if chart := bundle.get("application/vnd.plotly.v1+json"):
        return f"chart: {[trace['type'] for trace in chart['data']]}"
    if picture := bundle.get("image/png"):
        data = picture if isinstance(picture, bytes) else b64decode(picture)
        return f"picture: {struct.unpack('>II', data[16:24])}"
    text = bundle.get("text/plain", "")
    return "".join(text) if isinstance(text, list) else text


def in_kernel(notebooks: Sequence[Notebook], *, has_wall: bool) -> list[list[Record]]:
    """Run them in this kernel, with a session beside it."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    before = {*shell.user_ns}
    if not has_wall:
        without_wall(pytest.MonkeyPatch())
    worker = IsolatedWorker(WorkerLimits(seconds=60, cpu_seconds=60), needs_wall=False)
    assert str(worker.confined_by).endswith("without a sandbox") is not has_wall
    try:
        records = []
        for notebook in notebooks:
            records.append(_with_session(shell, worker, notebook))
            for name in {*shell.user_ns} - before:
                del shell.user_ns[name]
        return records
    finally:
        worker.close()


def _with_session(shell: Any, worker: IsolatedWorker, notebook: Notebook) -> list[Record]:
    session, records = worker.session({}), list[Record]()
    known: dict[str, bytes] = {}
    names = shell.user_ns
    with ThreadPoolExecutor(1) as threads:
        for cell in notebook.cells:
            if cell.is_users:
                error = shell.run_cell(cell.code, store_history=False).error_in_exec
                records.append({"error": "" if error is None else f"{type(error).__name__}: {error}"})
                continue
            sent = gathered(names, words_in(cell.code), known)
            known |= sent.digests
            running = session.run(cell.code, given=Given(sent.pickled, sent.stays, sent.has, (), ""))
            result = threads.submit(asyncio.run, running).result()
            names |= result.bound
            for name in result.deleted:
                names.pop(name, None)
            known |= gathered(names, result.bound, {}).digests
            shown = [told(output["data"]) for output in result.outputs if "data" in output]
            streams = [output["text"] for output in result.outputs if output.get("name") == "stdout"]
            records.append(
                {
                    "printed": "".join("".join(text) for text in streams),
                    "shown": shown,
                    "error": result.error,
                    "names": {name: described(value) for name, value in result.bound.items()},
                    "stays": [words for _, words in result.stays],
                    "asks": [*result.tried, *result.needed],
                }
            )
    session.close()
    return records


def plain(notebooks: Sequence[Notebook], folder: Path) -> None:
    """Run each in a process of its own, all its cells in one IPython shell."""
    for name in ("plotly.express", "matplotlib.pyplot", "scipy.stats", "scipy.optimize", "statsmodels.api"):
        import_module(name)
    for number, notebook in enumerate(notebooks):
        if (child := os.fork()) == 0:
            try:
                (folder / f"{number}.json").write_text(json.dumps(_in_one_shell(notebook)), encoding="utf-8")
            finally:
                os._exit(0)
        os.waitpid(child, 0)


def _in_one_shell(notebook: Notebook) -> list[Record]:
    import matplotlib as mpl
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from matplotlib_inline.backend_inline import configure_inline_support
    from traitlets.config import Config

    shown: list[str] = []

    class Hook(DisplayHook):
        def write_output_prompt(self) -> None:
            pass

        def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
            shown.append(told(format_dict))

        def finish_displayhook(self) -> None:
            pass

    class Publisher(DisplayPublisher):
        def publish(self, data: Any, *_: Any, **__: Any) -> None:
            shown.append(told(data))

    config = Config()
    config.HistoryManager.hist_file = ":memory:"
    shell = InteractiveShell.instance(config=config, displayhook_class=Hook, display_pub_class=Publisher)
    sys.modules["__main__"] = shell.user_module
    inline = "module://matplotlib_inline.backend_inline"
    mpl.use(inline)
    mpl.interactive(True)  # noqa: FBT003
    configure_inline_support(shell, inline)
    shell.enable_gui = lambda *_: None  # there is no window
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    records = []
    for cell in notebook.cells:
        shown.clear()
        with capture_output(display=False) as streams:
            result = shell.run_cell(cell.code, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        words = "" if error is None else f"{type(error).__name__}: {error}".removesuffix(": ")
        names = {name: described(value) for name, value in shell.user_ns.items() if name[:1] != "_"}
        records.append({"printed": streams.stdout, "shown": [*shown], "error": words, "names": names})
    return records


def differences(notebook: Notebook, got: list[Record], wanted: list[Record]) -> list[str]:
    """What is not as in one process, and cells whose note in the corpus does not hold."""
    found = []
    for number, (cell, here, there) in enumerate(zip(notebook.cells, got, wanted, strict=True)):
        parts = ["error"] if cell.is_users else ["printed", "shown", "error"]
        unlike = [f"{part}: {here[part]!r} instead of {there[part]!r}" for part in parts if here[part] != there[part]]
        unlike += [
            f"{name}: {value} instead of {there['names'].get(name)}"
            for name, value in here.get("names", {}).items()
            if value != there["names"].get(name)
        ]
        asks = bool(here.get("asks"))
        if asks != bool(cell.asks):
            unlike.append(f"asks about {here['asks']}" if asks else "asks about nothing any more")
        if asks and cell.asks:
            continue  # it runs in the kernel, after a yes
        if cell.differs and not unlike:
            found.append(f"{notebook.title}, cell {number}: mended: {cell.differs}")
        elif unlike and not cell.differs:
            found.append(f"{notebook.title}, cell {number}: {'; '.join(unlike)[:1500]}")
    return found


def normalised(text: str) -> list[list[Record]]:
    """The records, with every address of an object and every number of a cell alike."""
    return json.loads(re.sub(r"<ipython-input-\d+", "<ipython-input", re.sub(r"\b0x[0-9a-f]{6,}", "0x…", text)))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("one_of", "has_wall"),
    [
        (40, True),
        *(pytest.param(one_of, wall, marks=pytest.mark.long) for one_of, wall in ((40, False), (1, True), (1, False))),
    ],
)
def test_ordinary_cells_give_what_they_give_in_one_process(tmp_path: Path, one_of: int, has_wall: bool) -> None:
    """All notebooks take a minute and a half."""
    own = {"PLOTLY_RENDERER": "plotly_mimetype", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    this = "__import__('tests.worker.test_ordinary_cells', fromlist=['_'])"
    chosen = f"{this}.NOTEBOOKS[::{one_of}]"
    subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore",
            "-c",
            f"{this}.plain({chosen}, __import__('pathlib').Path({str(tmp_path)!r}))",
        ],
        check=True,
        cwd=tmp_path,
        env=os.environ | own,
    )
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(tmp_path), env=os.environ | own)
    try:
        to = tmp_path / "kernel.json"
        records = f"{this}.in_kernel({chosen}, has_wall={has_wall})"
        code = f"open({str(to)!r}, 'w').write(__import__('json').dumps({records})) and None"
        reply = client.execute_interactive(code, timeout=10 * PATIENCE_S, output_hook=lambda _: None)["content"]
        assert reply["status"] == "ok", "\n".join(reply["traceback"])
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    got = normalised(to.read_text(encoding="utf-8"))
    wrong = []
    for number, notebook in enumerate(NOTEBOOKS[::one_of]):
        wanted = normalised(f"[{(tmp_path / f'{number}.json').read_text(encoding='utf-8')}]")[0]
        wrong += differences(notebook, got[number], wanted)
    assert not wrong, "\n".join(wrong)


def test_the_corpus_is_large_and_asks_about_little() -> None:
    cells = [cell for notebook in NOTEBOOKS for cell in notebook.cells]
    assert len({notebook.title for notebook in NOTEBOOKS}) == len(NOTEBOOKS) >= 100
    assert len(cells) >= 300
    assert len([cell for cell in cells if cell.asks]) <= len(cells) // 100
    assert all(notebook.cells[0].is_users and not notebook.cells[1].is_users for notebook in NOTEBOOKS)
