"""What clients are told of tools and phases, in the seed's words and in English."""

from __future__ import annotations

from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, text_in
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS

_TOOLS = {spec.name: spec.label for spec in BUILTIN_TOOLS}
_STATUSES = {"thinking": Message("service-thinking")}

STEPS = {
    "build_context": Message("service-build-context"),
    "load_images": Message("service-load-images"),
    "run_analysis": Message("service-run-analysis"),
    "run_chat": Message("service-run-chat"),
    "thinking": _STATUSES["thinking"],
    "complete": Message("service-complete"),
    "load_config": Message("service-load-config"),
    "load_qubit_params": Message("service-load-qubit-params"),
    "load_issue": Message("service-load-issue"),
    "build_history": Message("service-build-history"),
    "load_context": Message("service-load-context"),
    "save_reply": Message("service-save-reply"),
}
"""The phases of a stream, but for `tool_call`, whose text is the tool's label."""


def tool_labels(language: Language = "ja") -> dict[str, str]:
    """Each built-in tool's label, as `SSETaskBridge` takes them."""
    return {name: text_in(label, language) for name, label in _TOOLS.items()}


def status_labels(language: Language = "ja") -> dict[str, str]:
    """Each status' label."""
    return {name: label.of(language) for name, label in _STATUSES.items()}


TOOL_LABELS = tool_labels()
STATUS_LABELS = status_labels()
"""QDash's two tables, for code written for it."""
