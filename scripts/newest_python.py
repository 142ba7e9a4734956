"""The tests without a browser on the newest Python of this machine, in an environment of their own: for `make long`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import which

from scripts.tests import IN_BROWSER, USUAL

NEWEST_MINOR = 30
"""The last minor version of Python 3 that is looked for."""


def main() -> int:
    """The exit code of the tests; 0 where there is no newer Python than this one, which is said."""
    version, python = max(found())
    if version <= sys.version_info[:2]:
        print(f"No Python newer than {sys.version.split()[0]} was found: `make test` has run all of this.")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        own = str(Path(folder, "bin", "python"))
        subprocess.run([python, "-m", "venv", folder], check=True)
        subprocess.run(
            [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ".[lab,test]"], check=True
        )
        return subprocess.run([own, *USUAL[1:], "tests", f"--ignore={IN_BROWSER}"], check=False).returncode


def found() -> Iterator[tuple[tuple[int, int], str]]:
    """Each Python that starts, with its version: of PATH, of pyenv, and this one."""
    yield sys.version_info[:2], sys.executable
    named = (which(f"python3.{minor}") for minor in range(sys.version_info.minor + 1, NEWEST_MINOR + 1))
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions").glob("3.*/bin/python")
    for python in [*filter(None, named), *map(str, pyenv)]:
        told = subprocess.run(
            [python, "-c", "import sys, ensurepip; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode == 0:
            major, minor = map(int, told.stdout.split())
            yield (major, minor), python


if __name__ == "__main__":
    sys.exit(main())
