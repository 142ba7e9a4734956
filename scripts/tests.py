"""Runs the tests, for `make test`: those that drive a browser beside all others, because a browser mostly waits."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]


def main() -> int:
    """The exit code: 0 when both parts passed."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "browser.log")
        with log.open("w") as out:
            browser = subprocess.Popen([*PYTEST, "-m", "lab and not long and not live"], stdout=out, stderr=out)
        try:
            others = subprocess.run([*PYTEST, "-m", "not lab and not long and not live"], check=False)
            browser.wait()
        finally:
            browser.kill()
        print("\nThe tests that drive a browser:\n", log.read_text(encoding="utf-8"), sep="\n")
    return max(others.returncode, browser.returncode, key=abs)


if __name__ == "__main__":
    sys.exit(main())
