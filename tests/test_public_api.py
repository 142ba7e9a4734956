"""The public names are a list; importing the package is silent and light."""

import subprocess
import sys

import pytest

import qdash_jupyter


def test_public_names() -> None:
    assert qdash_jupyter.__all__ == [
        "Answer",
        "Copilot",
        "CopilotError",
        "PersonError",
        "__version__",
        "load_ipython_extension",
        "open_copilot",
    ]
    for name in qdash_jupyter.__all__:
        assert getattr(qdash_jupyter, name) is not None
    assert dir(qdash_jupyter) == sorted(qdash_jupyter.__all__)


def test_import_is_silent_and_light() -> None:
    heavy = ("pandas", "numpy", "pydantic", "openai", "plotly", "pymongo", "pyarrow", "IPython", "asyncio")
    code = f"import sys, qdash_jupyter; print([m for m in {heavy!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("[]\n", "")


def test_the_names_of_a_copilot_are_for_the_user() -> None:
    wanted = {"data", "tools", "panel", "turns", "ask", "analyze", "start", "stop", "retry", "new", "resume"}
    wanted |= {"status", "use_model", "call_tool", "events", "close", "approvals"}
    assert set(dir(object.__new__(qdash_jupyter.Copilot))) == wanted


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        qdash_jupyter.nonsense  # noqa: B018
