"""Puts the parts together: settings, reader, model, tools. The only place that knows which ones there are."""

from qdash_jupyter.connect.opening import PartsBuilder, connect, open_copilot
from qdash_jupyter.connect.sources import index_words, open_model, open_reader, take_snapshot

__all__ = [
    "PartsBuilder",
    "connect",
    "index_words",
    "open_copilot",
    "open_model",
    "open_reader",
    "take_snapshot",
]
