"""The control comms: one a browser tab, for commands and cells. See docs/protocol.md."""
