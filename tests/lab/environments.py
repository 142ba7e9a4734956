"""Environments apart from that of the tests: made with venv and uv (or pip), kept in `build/` for the next run."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "environments"
# A change of these needs a new environment. The built extension is copied again, all else is read from the checkout.
INSTALLED_FROM = ("pyproject.toml", "hatch_build.py", "install.json")
BUILT = Path("labextension", "package.json")


@dataclass(frozen=True)
class Environment:
    """A virtual environment. `over` is one whose packages can be imported too, where there is none of their own."""

    name: str
    requirements: tuple[str, ...]
    over: Environment | None = None
    package: str = ""
    """`whole`: with what qdash_jupyter needs; `tested`: and with what its tests need; `alone`: only itself, for its
    labextension; or not at all.
    """
    of: str = sys.executable
    """The Python that it is made with."""

    @cached_property
    def python(self) -> Path:
        """Its interpreter; the environment is made when it is first asked for, which takes up to a minute (by pip two).

        Raises:
            subprocess.CalledProcessError: Neither uv nor pip could install it.
        """
        KEPT.mkdir(parents=True, exist_ok=True)
        with (KEPT / f"{self.name}.lock").open("w") as lock:  # tests of another group may want it at the same time
            fcntl.flock(lock, fcntl.LOCK_EX)
            return self._made()

    def _made(self) -> Path:
        folder = KEPT / f"{self.name}-{self._key}"
        python = folder / "bin" / "python"
        if not (folder / "complete").exists():
            for old in KEPT.glob(f"{self.name}-{'?' * len(self._key)}"):
                shutil.rmtree(old)
            subprocess.run([self.of, "-m", "venv", folder], check=True)
            if self.over is not None:
                packages = next(self.over.python.parents[1].glob("lib/python*/site-packages"))
                own = next(folder.glob("lib/python*/site-packages"))
                # site.addsitedir, because the environment below has .pth files of its own.
                (own / "below.pth").write_text(f"import site; site.addsitedir({str(packages)!r})\n")
            ours = {"whole": ["--editable", str(ROOT)], "tested": ["--editable", f"{ROOT}[lab,test]"]}
            self._install(python, *self.requirements, *ours.get(self.package, []))
            (folder / "complete").touch()
        installed = folder / "share/jupyter/labextensions/qdash-jupyter" / BUILT.name
        built = ROOT / "qdash_jupyter" / BUILT
        if self.package == "alone" and not (installed.exists() and installed.read_bytes() == built.read_bytes()):
            self._install(python, "--no-deps", "--force-reinstall", "--editable", str(ROOT))
        return python

    def add_kernel(self, data: Path, name: str) -> str:
        """Make it a kernel of the server whose JUPYTER_DATA_DIR is `data`; returns the kernel's name."""
        command = [str(self.python), "-m", "ipykernel", "install", "--user", "--name", name]
        shown = ["--display-name", f"Python 3 ({self.name})"]
        subprocess.run([*command, *shown], check=True, env=os.environ | {"JUPYTER_DATA_DIR": str(data)})
        return name

    @property
    def _key(self) -> str:
        contents = [(ROOT / name).read_bytes() for name in INSTALLED_FROM]
        below = self.over._key if self.over is not None else ""
        made_with = sys.version if self.of == sys.executable else self.of
        told = repr((made_with, self.requirements, self.package, below, contents))
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    def _install(self, python: Path, *what: str) -> None:
        uv = Path(sys.executable).with_name("uv")
        by_uv = [str(uv), "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python), *what]
        env = os.environ | {"UV_SYSTEM_CERTS": "1"}
        if uv.exists() and subprocess.run(by_uv, env=env, check=False).returncode == 0:
            return
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        subprocess.run([*pip, *what], check=True)


class _Running(Environment):
    """That of these tests."""

    @cached_property
    def python(self) -> Path:
        return Path(sys.executable)


def lowest_versions() -> tuple[str, ...]:
    """What the package needs in the lowest versions that it says to take, each in its last patch. The SDK of the model
    servers needs newer ones of two of them.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["serve"]]
    bounds = {name: bound.partition(",")[0] for name, _, bound in (one.partition(">=") for one in needed)}
    whole = {name: bound if "." in bound else f"{bound}.0" for name, bound in bounds.items()}
    return tuple(f"{name}=={bound}.*" for name, bound in whole.items() if name not in {"jiter", "typing_extensions"})


TESTS = _Running("tests", ())
BARE_SERVER = Environment("server-bare", ("jupyterlab",))
SERVER = Environment("server", ("jupyterlab", "anywidget"), package="alone")
SERVER_4_4 = Environment("server-4.4", ("jupyterlab>=4.4,<4.5", "anywidget", "plotly"), package="alone")
SERVER_LOWEST = Environment(
    "server-lowest", ("jupyterlab==4.4.*", "anywidget==0.9.13.*", "plotly==5.24.*"), package="alone"
)

BARE_KERNEL = Environment("kernel-bare", ("ipykernel",))
KERNEL = Environment("kernel", ("ipykernel",), package="whole")
KERNEL_7_1 = Environment("kernel-7.1", ("ipykernel==7.1.0",), over=KERNEL)
KERNEL_LOWEST = Environment("kernel-lowest", (*lowest_versions(), "ipykernel==6.31.*"), package="whole")
MCP_1 = Environment("mcp-1", ("mcp>=1.26,<2",), over=TESTS)
KERNEL_6 = Environment("kernel-6.31", ("ipykernel==6.31.0",), over=KERNEL)
