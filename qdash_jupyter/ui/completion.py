"""What Tab offers behind `%copilot` and `%%copilot`. Nothing is connected for it."""

from __future__ import annotations

import contextlib

from qdash_jupyter.errors import CopilotError
from qdash_jupyter.ui.app import CopilotApp
from qdash_jupyter.ui.line import COMMANDS

_NAMED = ("chip", "data", "model", "starter")


def completed(app: CopilotApp, line: str, word: str) -> list[str]:
    """What may stand in place of `word`, with which the line ends: commands, options, and names that are known."""
    magic, *before = line[: len(line) - len(word)].split() or [""]
    command, offered = COMMANDS["ask"], list[str]()
    if before and before[0] in COMMANDS and magic == "%copilot":
        command = COMMANDS[before.pop(0)]
    elif not before and magic == "%copilot":
        offered = list(COMMANDS)
    if before and (takes := before[-1].removeprefix("--")) != before[-1] and command.options.get(takes):
        offered = _names(app, takes)
    elif word.startswith("-"):
        offered = [f"--{name}" for name in command.options if f"--{name}" not in before]
    elif command.words in _NAMED:
        typed = "".join(f"{each} " for each in before if not each.startswith("--"))
        # A name may have several words: what is offered is what is missing of it.
        offered = [name[len(typed) :] for name in _names(app, command.words) if name.startswith(typed)]
    return sorted(each for each in offered if each.startswith(word))


def _names(app: CopilotApp, kind: str) -> list[str]:
    """The names of a kind that are known."""
    connected = app.conversation.workbench.connected
    if kind == "data":
        return ["refresh", *(f"refresh {key}" for key in app.conversation.data), "refresh every", "refresh off"]
    found: list[str] = []
    with contextlib.suppress(CopilotError):  # whoever asks is told
        if kind == "model":
            found += ["offline", *app.settings().manifest.models] if connected is None else [*connected.models]
        elif kind == "starter" and connected is not None:
            found += connected.starter_prompts()
        elif kind == "chip":
            found += filter(None, [app.settings().manifest.chip])
            if connected is not None:
                found += {chip.ref.chip_id for chip in connected.reader.chips()} - {*found}
    return found
