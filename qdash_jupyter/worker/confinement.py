"""What confines a job on this machine, and how its process is begun."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import sysconfig
import zoneinfo
from functools import cache
from pathlib import Path
from shutil import which
from typing import Literal, TypeAlias

from qdash_jupyter.cells.installed import is_site, packages_elsewhere
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.worker import landlock, seccomp
from qdash_jupyter.worker.limits import Shape

Wall: TypeAlias = Literal["landlock", "bubblewrap", ""]
"""What confines files, with seccomp beside it; empty where nothing does."""

_STARTS = (
    "import json, sys; plan = json.loads(sys.argv.pop()); sys.path += plan['path']; "
    "from qdash_jupyter.worker.zygote import serve; serve(plan)"
)
_OPTIONS = ("-I", "-S", "-B", "-X", "utf8")  # no variables, no folder of the user's, no .pth file, nothing written
_PACKAGE = Path(__file__).parents[1]
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "HOME": "/dev/null",
    # A process of several threads cannot be forked safely, and one job has one core.
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "JOBLIB_MULTIPROCESSING": "0",  # it warns with each import where it finds that it cannot begin processes
    "MKL_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # macOS ends a forked process whose libraries have begun threads, or waits there forever.
    **(
        {"OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES", "VECLIB_MAXIMUM_THREADS": "1"}
        if sys.platform == "darwin"
        else {}
    ),
}
"""The variables of a worker, whatever the user's are."""
_OF_ARITHMETIC = (
    *("MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES"),
    *("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"),
)


def environment() -> dict[str, str]:
    """All variables that a worker begins with. With those that choose how a processor adds and multiplies, a cell has
    the same last digits there and in the user's kernel.
    """
    return ENVIRONMENT | {name: os.environ[name] for name in _OF_ARITHMETIC if name in os.environ}


def why_unconfined() -> Text:
    """Why no code can run isolated here; empty where it can."""
    if not sys.platform.startswith("linux"):
        return Message("worker-not-linux", platform=sys.platform)
    if not seccomp.is_available():
        return Message("worker-no-seccomp")
    if _has_landlock() or _bubblewrap_problem() == "":
        return ""
    return Message("worker-no-landlock", version=str(landlock.FIRST_ABI), why=_bubblewrap_problem())


def confined_by() -> Text:
    """`Landlock 7 and seccomp`, `bubblewrap and seccomp`, or empty."""
    walls = {"landlock": f"Landlock {landlock.abi()}", "bubblewrap": "bubblewrap"}
    wall = walls.get(_wall())
    return Message("list-and", first=wall, last="seccomp") if wall else ""


def _wall() -> Wall:
    if why_unconfined():
        return ""
    return "landlock" if _has_landlock() else "bubblewrap"


def command(channel: int, shape: Shape, idle_s: float) -> list[str]:
    """The command that begins a worker which listens on this descriptor, and ends when no code ran for so long."""
    wall = _wall()
    site = [path for path in sys.path if is_site(Path(path))]
    home, others = str(_PACKAGE.parent), packages_elsewhere()
    readable = [*site, str(_PACKAGE), *others.values(), *_of_python()]
    plan: JsonObject = {
        "channel": channel,
        "shape": shape,
        "idle_s": idle_s,
        "wall": wall,
        "path": [*site, *([] if home in site else [home])],
        "leave": [] if home in site else [home],
        "packages": others,
        "matplotlib": _folder_of_matplotlib(),
        "home": os.path.expanduser("~"),  # noqa: PTH111 - there may be none
        "readable": readable,
    }
    python = str(Path(sys.executable).resolve())
    words = [python, *_OPTIONS, "-c", _STARTS, json.dumps(plan)]
    if wall != "bubblewrap":
        return words
    library = "/".join(map(str, sysconfig.get_config_vars("LIBDIR", "INSTSONAME")))  # where it is a shared one
    with contextlib.suppress(OSError):
        Path(plan["matplotlib"]).mkdir(parents=True, exist_ok=True)
    return [*_bubblewrap([*readable, *_LIBRARIES, python, library, plan["matplotlib"]]), *words]


def _folder_of_matplotlib() -> str:
    """Where matplotlib keeps its list of fonts."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - there may be no home
    return os.environ.get("MPLCONFIGDIR") or f"{cache}/matplotlib"


def _of_python() -> list[str]:
    """The folders of Python's library, and of the time zones."""
    own = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    return [*dict.fromkeys([*own, *zoneinfo.TZPATH])]


@cache
def _has_landlock() -> bool:
    return landlock.abi() >= landlock.FIRST_ABI


@cache
def _bubblewrap_problem() -> Text:
    if which("bwrap") is None:
        return Message("worker-no-bwrap")
    tried = subprocess.run(  # noqa: S603
        [*_bubblewrap(["/usr", "/bin", *_LIBRARIES]), "/bin/true"], capture_output=True, text=True, check=False
    )
    if not tried.returncode:
        return ""
    return tried.stderr.strip() or Message("worker-bwrap-exited", code=str(tried.returncode))


def _bubblewrap(readable: list[str]) -> list[str]:
    bound = [word for path in dict.fromkeys(readable) for word in ("--ro-bind-try", path, path)]
    return [which("bwrap") or "bwrap", "--unshare-all", "--new-session", *bound, "--dev", "/dev", "--remount-ro", "/"]
