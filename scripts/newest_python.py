"""The tests without a browser on the newest Python of this machine, and how the interpreter ends on those before it:
for `make long`, in environments of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which

from scripts.tests import IN_BROWSER, PYTEST, USUAL
from tests.lab.environments import Environment

NEWEST_MINOR = 30
"""The last minor version of Python 3 that is looked for."""


ENDS = "tests/ui/test_interpreter_ends.py"
"""What differs from one version to the next: this alone runs on those between this one and the newest."""


def main() -> int:
    """The exit code of the tests; 0 where there is no newer Python than this one, which is said."""
    newer = {version: python for version, python in found() if version > sys.version_info[:2]}
    if not newer:
        print(f"No Python newer than {sys.version.split()[0]} was found: `make test` has run all of this.")
    whole = [*USUAL[1:], "tests", f"--ignore={IN_BROWSER}"]
    codes = [
        ran("{}.{}".format(*version), newer[version], whole if version == max(newer) else [*PYTEST[1:], ENDS])
        for version in sorted(newer)
    ]
    return max(codes, key=abs)  # of a signal it is negative


def ran(version: str, python: str, tests: list[str]) -> int:
    """The exit code of these tests on this Python, in an environment of its own, which is kept in `build/`: to make one
    takes a minute and a half, and by pip beside other tests eight.
    """
    own = Environment(f"python-{version}", (), package="tested", of=python)
    return subprocess.run([str(own.python), *tests], check=False).returncode


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
