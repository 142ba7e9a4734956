"""Tools of servers that speak the Model Context Protocol. The SDK is imported when there is such a tool set."""

from qdash_jupyter.tool_sets.mcp.tool_set import mcp_tools

__all__ = ["mcp_tools"]
