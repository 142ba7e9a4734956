"""Tab behind `%copilot`, `copilot.tools.` and `copilot.data["`: in IPython's own completion, and in a kernel's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from IPython.core.completer import provisionalcompleter

from qdash_jupyter.ui.line import ASK, COMMANDS
from qdash_jupyter.ui.magics import load, unload
from tests.session.conversation import open_shell, small_demo, without_settings
from tests.ui.kernel import Kernel

Tab = Callable[[str], list[str]]

MODELS = "models: {lab: {name: lab-model, base_url: http://127.0.0.1:1/v1, api_key_env: LAB_KEY}}\nchip: 16Q-demo\n"


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Tab]:
    without_settings(monkeypatch, tmp_path)
    settings = tmp_path / "mine.yaml"
    settings.write_text(MODELS)
    monkeypatch.setenv("QDASH_COPILOT_CONFIG", str(settings))
    monkeypatch.setenv("QDASH_SNAPSHOT", str(small_demo(tmp_path)))
    with open_shell() as shell:
        load(shell)

        def press(text: str) -> list[str]:
            completer = shell.Completer
            with provisionalcompleter():
                return [text[: each.start] + each.text for each in completer.completions(text, len(text))]

        yield press
        unload(shell)
        assert shell.Completer.custom_matchers == []


def test_commands_options_and_names_are_offered_and_nothing_is_connected(tab: Tab) -> None:
    assert tab("%copilot ") == [f"%copilot {name}" for name in COMMANDS]
    assert tab("%copilot st") == ["%copilot start", "%copilot status", "%copilot stop"]
    assert tab("x = 1\n%copilot use --p") == ["x = 1\n%copilot use --project"]
    assert tab("%copilot ask --wait --") == [f"%copilot ask --wait --{name}" for name in sorted(ASK) if name != "wait"]
    assert tab("%copilot config --") == ["%copilot config --explain"]
    assert tab("%%copilot --w") == ["%%copilot --wait"]
    assert tab("%%copilot --model l") == ["%%copilot --model lab"]
    assert tab("%copilot model ") == ["%copilot model lab", "%copilot model offline"]
    assert tab("%copilot use --chip ") == ["%copilot use --chip 16Q-demo"]
    assert tab("%copilot chip 1") == ["%copilot chip 16Q-demo"]


def test_names_of_tools_and_of_what_was_fetched(tab: Tab) -> None:
    from IPython.core.getipython import get_ipython

    copilot = get_ipython().user_ns["copilot"]
    fetched = copilot.tools.get_chip_summary()
    get_ipython().user_ns["fetched"] = fetched
    assert 'copilot.data["chip_summary' in tab('copilot.data["ch')[0]
    assert 'data["chip_summary' in tab('data["')[0]
    assert len(tab('fetched["')) == len(fetched)
    assert "copilot.tools.get_chip_summary" in tab("copilot.tools.get_chip_s")
    assert tab("%copilot data refresh ch") == ["%copilot data refresh chip_summary"]
    assert tab("%copilot start ") != [], "what to begin with is known once the database is open"


@pytest.mark.kernel
def test_in_a_kernel(demo_kernel: Kernel) -> None:
    demo_kernel.run("fetched = copilot.tools.get_chip_summary()")
    assert demo_kernel.complete("%copilot sta") == ["%copilot start", "%copilot status"]
    assert demo_kernel.complete("%%copilot --ch") == ["%%copilot --chip"]
    assert demo_kernel.complete("%copilot chip ") == ["%copilot chip 64Q-demo"]
    assert demo_kernel.complete("copilot.tools.get_chip_s") == ["copilot.tools.get_chip_summary"]
    assert demo_kernel.complete('copilot.data["') == ['copilot.data["chip_summary']
    assert 'fetched["qubits' in demo_kernel.complete('fetched["')
