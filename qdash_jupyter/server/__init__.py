"""The copilot for clients without a kernel: an extension of Jupyter Server that streams server-sent events.

It is off until it is enabled (`jupyter server extension enable qdash_jupyter`), or runs alone: `qdash-jupyter serve`.
"""

from qdash_jupyter.server.sse import STATUS_LABELS, TOOL_LABELS, SSETaskBridge, sse_event

__all__ = ["STATUS_LABELS", "TOOL_LABELS", "SSETaskBridge", "sse_event"]
