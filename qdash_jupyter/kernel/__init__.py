"""The kernel of a conversation: the user's shell, and beside it the session in which code of the copilot runs."""
