"""What Tab offers behind `%copilot` and `%%copilot`. Nothing is connected for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

from qdash_jupyter.errors import CopilotError
from qdash_jupyter.ui.app import CopilotApp
from qdash_jupyter.ui.line import COMMANDS


def completed(app: CopilotApp, line: str, word: str) -> list[str]:
    """What may stand in place of `word`, with which the line ends: commands, options, and names that are known."""
    magic, *before = line[: len(line) - len(word)].split() or [""]
    command, offered = COMMANDS["ask"], list[str]()
    if before and before[0] in COMMANDS and magic == "%copilot":
        command = COMMANDS[before.pop(0)]
    elif not before and magic == "%copilot":
        offered = list(COMMANDS)
    names = _names(app)
    if before and (takes := before[-1].removeprefix("--")) != before[-1] and command.options.get(takes):
        offered = names[takes]() if takes in names else []
    elif word.startswith("-"):
        offered = [f"--{name}" for name in command.options if f"--{name}" not in before]
    elif command.words is not None and command.words in names:
        typed = "".join(f"{each} " for each in before if not each.startswith("--"))
        # A name may have several words: what is offered is what is missing of it.
        offered = [name[len(typed) :] for name in names[command.words]() if name.startswith(typed)]
    return sorted(each for each in offered if each.startswith(word))


def _names(app: CopilotApp) -> Mapping[str, Callable[[], list[str]]]:
    """The names of each kind that are known."""
    connected = app.conversation.workbench.connected

    def models() -> list[str]:
        if connected is not None:
            return list(connected.models)
        with contextlib.suppress(CopilotError):  # whoever asks is told
            return ["offline", *app.settings().manifest.models]
        return []

    def chips() -> list[str]:
        found: set[str] = set()
        with contextlib.suppress(CopilotError):
            found |= {app.settings().manifest.chip or ""}
            if connected is not None:
                found |= {chip.ref.chip_id for chip in connected.reader.chips()}
        return sorted(found - {""})

    def data() -> list[str]:
        return ["refresh", *(f"refresh {key}" for key in app.conversation.data), "refresh every", "refresh off"]

    def starters() -> list[str]:
        with contextlib.suppress(CopilotError):
            return [] if connected is None else [*connected.starter_prompts()]
        return []

    return {"model": models, "chip": chips, "data": data, "starter": starters}
