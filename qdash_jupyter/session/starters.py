"""Questions to begin with: those of the settings, else some that suit the chip and the user's tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from qdash_jupyter.config.manifest import StarterSection
from qdash_jupyter.data.queries import CurrentQuery
from qdash_jupyter.domain.language import Language, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qdash_jupyter.config.manifest import Manifest
    from qdash_jupyter.data.reader import QDashReader
    from qdash_jupyter.data.records import ChipRecord

MOST = 4
_TABLE = re.compile(r"(?P<name>\w+): DataFrame")

_OF_ANY_CHIP = (Words("How is the chip?", "チップの状態は?"),)
_OF_PARAMETERS = (
    ("t1", Words("Which qubits lost T1 in the last 30 days?", "過去30日でT1が下がった量子ビットは?")),
    (
        "average_readout_fidelity",
        Words("Which 5 qubits have the lowest readout fidelity?", "読み出し忠実度が最も低い5つの量子ビットは?"),
    ),
    ("t1", Words("Heatmap of T1", "T1のヒートマップ")),
    ("t2_echo", Words("Heatmap of T2 echo", "T2 echoのヒートマップ")),
    ("qubit_frequency", Words("Heatmap of the qubit frequency", "量子ビット周波数のヒートマップ")),
)
"""By the parameter that has to be known. The offline planner understands them all."""
_OF_A_TABLE = Words("What stands out in @{}?", "@{}で目立つ点は?")
_WITH_SKILL = Words("{} (Read the skill {} first.)", "{}(先にスキル {} を読むこと。)")


def starters_of(
    manifest: Manifest,
    reader: QDashReader,
    chip: ChipRecord | None,
    names: Sequence[str],
    *,
    is_language_model: bool,
) -> tuple[StarterSection, ...]:
    """At most four where the settings have none. `names` are the user's, in words. Reads the database.

    A language model is asked to read the skill of a starter first, and about a table of the user's.
    """
    language: Language = "ja" if manifest.language.response == "ja" else "en"
    if manifest.starters:
        return tuple(_with_skill(each, language) if is_language_model else each for each in manifest.starters)
    known: set[str] = set()
    if chip is not None:
        asked = CurrentQuery(chip.ref, "qubit", parameters=sorted({name for name, _ in _OF_PARAMETERS}))
        known = set(reader.current_parameters(asked)["parameter"].unique())
    questions = [words.of(language) for name, words in _OF_PARAMETERS[:1] if name in known]
    questions += [words.of(language) for words in _OF_ANY_CHIP]
    questions += [words.of(language) for name, words in _OF_PARAMETERS[1:] if name in known]
    tables = [found["name"] for each in names if (found := _TABLE.match(each))] if is_language_model else []
    questions = [*(_OF_A_TABLE.of(language).format(name) for name in tables[:1]), *questions][:MOST]
    return tuple(StarterSection(label=question, prompt=question) for question in questions)


def _with_skill(starter: StarterSection, language: Language) -> StarterSection:
    if starter.skill is None:
        return starter
    prompt = _WITH_SKILL.of(language).format(starter.prompt, starter.skill)
    return starter.model_copy(update={"prompt": prompt})
