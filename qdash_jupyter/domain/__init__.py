"""Frozen values that every room may know: answers, tool calls, cell runs, events, and the words of the field."""
