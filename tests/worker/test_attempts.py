"""What code tries outside is noted, whatever it makes of the refusal."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.result import JobResult
from tests.worker.conftest import LIMITS, alone

Run = Callable[..., JobResult]

ATTEMPTS = {
    "open('report.csv', 'w')": ("writes", "report.csv"),
    "pd.DataFrame({'v': [1]}).to_csv('/opt/t1.csv')": ("writes", "/opt/t1.csv"),
    "import os; os.remove('/data/old')": ("writes", "/data/old"),
    "import pathlib; pathlib.Path('/data/results').mkdir()": ("writes", "/data/results"),
    "np.save('/data/levels.npy', [1])": ("writes", "/data/levels.npy"),
    "open('/etc/passwd')": ("reads", "/etc/passwd"),
    "import os; os.listdir('/etc')": ("reads", "/etc"),
    "import socket; socket.create_connection(('10.0.0.5', 5025), 1)": ("connects", "10.0.0.5:5025"),
    "import urllib.request; urllib.request.urlopen('http://10.0.0.7/x')": ("connects", "10.0.0.7:80"),
    "import socket; socket.socket()": ("connects", ""),
    "import subprocess; subprocess.run(['rm', '-r', 'x'])": ("starts", "rm -r x"),
    "import os; os.system('reboot')": ("starts", "reboot"),
    "import mylab.control": ("imports", "mylab"),
}

PLAIN = {
    "libraries": "import scipy.signal, sqlite3, json, decimal, xml.dom.minidom\npd.DataFrame({'v': [1.0]}).describe()",
    "a picture": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('µ')",
    "nowhere": "import os\nprint('x', file=open(os.devnull, 'w'))",
    "a file that is not there": "try:\n    open('nothing.csv')\nexcept FileNotFoundError:\n    pass",
    "in memory": "import io\npd.read_csv(io.StringIO('a\\n1'))\npd.DataFrame({'v': [1]}).to_csv()",
    "a loop": "import asyncio\nawait asyncio.sleep(0)",
    "threads": "from concurrent.futures import ThreadPoolExecutor\nlist(ThreadPoolExecutor(2).map(abs, [1]))",
    "time zones": "pd.Timestamp('2026-01-01', tz='Asia/Tokyo')",
    "an installed package that is optional": "try:\n    import os.path\nexcept ImportError:\n    pass",
}


@pytest.mark.parametrize("code", ATTEMPTS)
def test_an_attempt_is_noted(run: Run, code: str) -> None:
    imports = "import pandas as pd, numpy as np\n"
    assert ATTEMPTS[code] in run(imports + code).tried
    lines = "\n".join(f"    {line}" for line in code.split("; "))
    caught = run(f"{imports}try:\n{lines}\nexcept BaseException:\n    pass\n'went on'")
    assert (caught.value, ATTEMPTS[code] in caught.tried) == ("went on", True)


@pytest.mark.parametrize("name", PLAIN)
def test_what_may_be_is_no_attempt(run: Run, name: str) -> None:
    result = run("import pandas as pd\n" + PLAIN[name])
    assert (result.error, result.tried) == ("", ())


@pytest.mark.long  # a worker that loads nothing beforehand
def test_what_an_import_did_without_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bare: str) -> None:
    """Libraries that keep something at home get by where nothing can be written, or do not: then it is said."""
    home = "import pathlib\nplace = pathlib.Path.home() / '.lab'\n"
    (tmp_path / "lab_easy.py").write_text(f"{home}try:\n    place.mkdir()\nexcept OSError:\n    place = None\n")
    (tmp_path / "lab_strict.py").write_text(f"{home}place.mkdir()\n")
    monkeypatch.setenv("HOME", "/nobody")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    with closing(IsolatedWorker(LIMITS)) as worker:
        easy, strict, own = (
            asyncio.run(alone(worker, code))
            for code in ("import lab_easy", "import lab_strict", "import lab_easy, os\nos.mkdir('/nobody/.lab')")
        )
    written = ("writes", "/nobody/.lab")
    assert (easy.error, easy.tried) == ("", ())
    assert (written in strict.tried, own.tried) == (True, (written,))


def test_the_next_code_has_tried_nothing(worker: IsolatedWorker) -> None:
    session = worker.session({})
    try:
        first, second = (asyncio.run(session.run(code)) for code in ("open('/etc/passwd')", "1"))
    finally:
        session.close()
    assert (first.tried, second.tried) == ((("reads", "/etc/passwd"),), ())
