"""The models that can be asked, for `%copilot model` and the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.messages.message import Message, Text

if TYPE_CHECKING:
    from qdash_jupyter.config.manifest import ModelSection
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.session.parts import Parts


def models_table(parts: Parts) -> str:
    """The models of the settings as Markdown; the one that is asked is marked."""
    rows = [
        "| | model | at | window, tokens | price, of a million tokens in / out |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, section in parts.models.items():
        mark = "**asked now**" if name == parts.model else f"`%copilot model {harmless_words(name)}`"
        rows.append(f"| {mark} | {' | '.join(harmless_words(str(each)) for each in _row(name, section))} |")
    return "\n".join(rows)


def model_choices(parts: Parts) -> list[panel.ModelChoice]:
    """The models as the panel offers them."""
    return [
        {"name": name, "label": label, "endpoint": endpoint, "asked": name == parts.model}
        for name, section in parts.models.items()
        for label, endpoint, *_ in [_row(name, section)]
    ]


def _row(name: str, section: ModelSection | Text | None) -> tuple[Text, ...]:
    if section is None:
        return Message("offline-planner"), Message("this-kernel"), "", Message("costs-nothing")
    if isinstance(section, str | Message):
        return name, section, "", ""
    from qdash_jupyter.llm.openai_server.endpoint import endpoint_of

    price = section.price
    money = f"{price.input:g} / {price.output:g} {price.currency}" if price is not None else ""
    return section.name, endpoint_of(section.base_url).shown, f"{section.window:,}", money
