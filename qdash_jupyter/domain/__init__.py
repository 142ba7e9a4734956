"""Frozen values that every room may know: answers, tool calls, cell runs, events, sources, and the words of the field."""
