"""`qdash-jupyter ask` where the machine gives it little: no home, no name, no room on the disk, an old terminal.

What they show is how a process begins and ends; one takes a second or two, and five where it has no demo data yet. So
most of them are long.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import nbformat
import pytest
from demo_chip.snapshot import write_demo_snapshot

from qdash_jupyter import open_copilot
from qdash_jupyter.errors import SnapshotError
from qdash_jupyter.ui.cli import main
from tests.patience import PATIENCE_S
from tests.session.conversation import without_settings
from tests.ui.kernel import kernel

ASK = (sys.executable, "-m", "qdash_jupyter.ui.cli", "ask", "--demo", "Which qubits lost T1 in the last 30 days?")
LOST = "Q45, Q42, Q59, Q08 and Q56"
NOBODY = ("unshare", "--user", "--map-user=54321", "--map-group=54321")
"""As a user without a name; in a namespace of its own, so permissions hold even where the tests are root."""
FOLDERS = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")

needs_namespaces = pytest.mark.skipif(
    shutil.which(NOBODY[0]) is None
    or subprocess.run([*NOBODY, "true"], capture_output=True, check=False).returncode != 0,
    reason="this machine lets nobody be another user",
)


def asked(
    *more: str, to: int = subprocess.PIPE, before: tuple[str, ...] = (), room: int | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The question in a process that keeps nothing of ours but what `environment` says; no file of it may have more
    than `room` bytes, as on a disk that fills up. It compiles nothing into the checkout, where cut files would stay.
    """
    left_out = {"HOME", *FOLDERS}
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in left_out and not name.startswith(("QDASH", "OPENAI", "MONGO"))
    }
    limit = None if room is None else partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, room))
    return subprocess.run(
        [*before, *ASK, *more],
        stdout=to,
        stderr=subprocess.PIPE,
        text=True,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        check=False,
        env=env | {"PYTHONDONTWRITEBYTECODE": "1"} | environment,
        preexec_fn=limit,
    )


def not_kept(run: subprocess.CompletedProcess[str]) -> str:
    """The one sentence on what was not kept."""
    [line] = [line for line in run.stderr.splitlines() if line.startswith("qdash-jupyter: ")]
    assert line.startswith("qdash-jupyter: Not saved: ")
    assert "Traceback" not in run.stderr
    assert "Warning" not in run.stderr
    return line


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Path]:
    """A folder that can be read and not written."""
    folder = tmp_path / "sealed"
    folder.mkdir(0o555)
    yield folder
    folder.chmod(0o755)


@needs_namespaces
@pytest.mark.long
def test_a_user_without_name_and_home(tmp_path: Path) -> None:
    run = asked(before=(*NOBODY, "env", "-C", str(tmp_path)))
    assert LOST in run.stdout, run.stderr
    assert "the copilot's log (there is no home folder (HOME isn't set))" in not_kept(run)
    assert list(tmp_path.iterdir()) == []  # no folder named ~


@pytest.mark.long
@needs_namespaces
def test_a_home_that_is_read_only(sealed: Path) -> None:
    run = asked(before=NOBODY, HOME=str(sealed))
    assert LOST in run.stdout, run.stderr
    assert f"the copilot's log (Permission denied: {sealed}" in not_kept(run)
    assert list(sealed.iterdir()) == []


@pytest.mark.long
def test_a_home_that_is_missing() -> None:
    run = asked(HOME="/dev/null/home")
    assert LOST in run.stdout, run.stderr
    assert "the copilot's log (Not a directory: /dev/null/home" in not_kept(run)


def test_a_snapshot_that_goes_away_in_the_middle_of_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process."""
    without_settings(monkeypatch, tmp_path)
    folder = write_demo_snapshot(tmp_path / "made", seed=3, size=16, days=40)
    copilot = open_copilot(settings={"database": {"snapshot": str(folder)}})
    assert "T1" in copilot.ask("Heatmap of T1").text
    shutil.rmtree(folder)
    with pytest.raises(SnapshotError, match=f"The snapshot {folder} no longer exists"):
        copilot.ask("Heatmap of T1")
    with pytest.raises(SnapshotError, match="no longer exists"):
        copilot.call_tool("get_chip_summary", {})
    copilot.close()


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["cp932", "cp1252", "ascii"])
def test_a_terminal_that_is_not_utf8(encoding: str) -> None:
    run = asked(HOME=str(Path.home()), PYTHONIOENCODING=encoding)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(r"Assessment: \u26a0 warning")
    assert LOST in run.stdout


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["cp932", "cp1252", "ascii"])
def test_json_stays_json_there(encoding: str) -> None:
    run = asked("--json", HOME=str(Path.home()), PYTHONIOENCODING=encoding)
    assert run.returncode == 0, run.stderr
    [text, _] = json.loads(run.stdout)["blocks"]
    assert LOST in text["content"]


@pytest.mark.long
def test_standard_output_that_is_full() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        run = asked(to=full.fileno(), HOME=str(Path.home()))
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == "qdash-jupyter: can't write the output: No space left on device"


@pytest.mark.long
def test_a_notebook_that_finds_no_room_takes_nothing_that_was_there(tmp_path: Path) -> None:
    imported = tmp_path / "lib" / "sitecustomize.py"  # by each Python that begins, and compiled beside it
    imported.parent.mkdir()
    imported.touch()
    path = tmp_path / "answer.ipynb"
    path.write_text("yesterday's", encoding="utf-8")
    run = asked("-o", str(path), HOME=str(Path.home()), PYTHONPATH=str(imported.parent), room=4096)
    assert run.returncode == 1
    assert LOST in run.stdout
    assert run.stderr.splitlines()[-1].startswith("qdash-jupyter: Can't write the notebook: File too large: ")
    assert path.read_text(encoding="utf-8") == "yesterday's"
    assert sorted(tmp_path.rglob("*")) == [path, imported.parent, imported], "no half notebook, and no half module"


@pytest.mark.long
def test_a_notebook_is_written_as_a_user_would_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: a new file as the umask says, an old one with the rights that it had, a link stays one, and a
    pipe works.
    """
    without_settings(monkeypatch, tmp_path)
    before = os.umask(0o027)
    try:
        assert main([*ASK[3:], "-o", "new.ipynb"]) == 0
    finally:
        os.umask(before)
    assert Path("new.ipynb").stat().st_mode & 0o777 == 0o640
    path = tmp_path / "answer.ipynb"
    link = tmp_path / "latest.ipynb"
    link.symlink_to(path)
    path.write_text("", encoding="utf-8")
    path.chmod(0o604)
    assert main([*ASK[3:], "-o", str(link)]) == 0
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o604
    nbformat.validate(nbformat.read(path, as_version=4))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    assert main([*ASK[3:], "-o", str(pipe)]) == 0
    reader.join(PATIENCE_S)
    assert '"nbformat": 4' in "".join(read)


@pytest.mark.long
@pytest.mark.kernel
def test_a_kernel_says_it_in_its_status(tmp_path: Path) -> None:
    """A kernel of its own, because the log is opened once a process."""
    nowhere = dict.fromkeys(FOLDERS, "/dev/null/nowhere")
    with kernel(**nowhere, JPY_SESSION_NAME=str(tmp_path / "a.ipynb")) as lab:
        lab.run("%load_ext qdash_jupyter\n%copilot use --demo")
        answer = lab.run("%%copilot\nWhich qubits lost T1 in the last 30 days?")
        assert LOST in answer.text
        assert "Traceback" not in answer.text
        [status] = [bundle["text/markdown"] for bundle in lab.run("%copilot status").bundles]
    assert "the copilot's log (Not a directory: /dev/null/nowhere" in status
    assert "This conversation isn't saved: Not a directory: /dev/null/nowhere" in status
