"""Puts the parts together: settings, reader, model, tools. The only place that knows which ones there are."""

from qdash_jupyter.connect.opening import connect, open_copilot, parts_builder
from qdash_jupyter.connect.sources import index_words, open_model, open_reader, take_snapshot

__all__ = [
    "connect",
    "index_words",
    "open_copilot",
    "open_model",
    "open_reader",
    "parts_builder",
    "take_snapshot",
]
