"""Questions to begin with: those of the settings, else some that suit the chip and the user's tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qdash_jupyter.config.manifest import Manifest, StarterSection
from qdash_jupyter.data.queries import CurrentQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.messages.message import Message, Text

MOST = 4
_TABLE = re.compile(r"(?P<name>\w+): DataFrame")

_QUESTIONS = (
    ("t1", Message("start-lost-t1")),
    ("", Message("start-health")),
    ("average_readout_fidelity", Message("start-lowest-readout")),
    ("t1", Message("start-map-t1")),
    ("t2_echo", Message("start-map-t2-echo")),
    ("qubit_frequency", Message("start-map-frequency")),
)
"""By the parameter that has to be known. The offline planner understands them all, in Japanese too."""

STARTERS = [words for _, words in _QUESTIONS[:MOST]]
"""Those of a chip of which nothing is known yet."""


def starters_of(
    manifest: Manifest, reader: QDashReader, chip: ChipRecord | None, names: Sequence[str], *, is_language_model: bool
) -> list[panel.Starter]:
    """At most four where the settings have none. `names` are the user's, in words. Reads the database.

    A language model is asked to read the skill of a starter first, and about a table of the user's.
    """
    if manifest.starters:
        return [_of_settings(each, with_skill=is_language_model) for each in manifest.starters]
    known = {""}
    if chip is not None:
        asked = CurrentQuery(chip.ref, "qubit", parameters=sorted({name for name, _ in _QUESTIONS if name}))
        known |= set(reader.current_parameters(asked)["parameter"].unique())
    questions = [words for name, words in _QUESTIONS if name in known]
    tables = [found["name"] for each in names if (found := _TABLE.match(each))] if is_language_model else []
    questions = [*(Message("start-table", name=name) for name in tables[:1]), *questions]
    return [{"label": question, "prompt": question} for question in questions[:MOST]]


def _of_settings(starter: StarterSection, *, with_skill: bool) -> panel.Starter:
    prompt: Text = starter.prompt
    if starter.skill is not None and with_skill:
        prompt = Message("start-with-skill", question=starter.prompt, skill=starter.skill)
    return {"label": starter.label, "prompt": prompt}
