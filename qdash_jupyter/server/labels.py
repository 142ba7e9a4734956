"""What clients are told of tools and phases, in the seed's words and in English."""

from __future__ import annotations

from qdash_jupyter.messages.message import Message, text_in
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS

STEPS = {
    "build_context": Message("service-build-context"),
    "load_images": Message("service-load-images"),
    "run_analysis": Message("service-run-analysis"),
    "run_chat": Message("service-run-chat"),
    "thinking": Message("service-thinking"),
    "complete": Message("service-complete"),
    "load_config": Message("service-load-config"),
    "load_qubit_params": Message("service-load-qubit-params"),
    "load_issue": Message("service-load-issue"),
    "build_history": Message("service-build-history"),
    "load_context": Message("service-load-context"),
    "save_reply": Message("service-save-reply"),
}
"""The phases of a stream, but for `tool_call`, whose text is the tool's label."""


TOOL_LABELS = {spec.name: text_in(spec.label, "ja") for spec in BUILTIN_TOOLS}
STATUS_LABELS = {"thinking": STEPS["thinking"].of("ja")}
"""QDash's two tables, for code written for it."""
