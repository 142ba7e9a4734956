"""The models that can be asked, for `%copilot model` and the panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.ui.display import table

if TYPE_CHECKING:
    from qdash_jupyter.config.manifest import ModelSection
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.session.parts import Parts


def models_table(parts: Parts) -> str:
    """The models of the settings as Markdown; the one that is asked is marked."""
    rows = [
        (Message("in-use") if name == parts.model else f"`%copilot model {name}`", *_row(name, section))
        for name, section in parts.models.items()
    ]
    return table(("", "model", "endpoint", "window", "price"), rows)


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
