"""A conversation in a kernel: the copilot, its turns, the tools for people, and the log on disk."""
