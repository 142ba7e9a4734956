"""What the panel shows, as plain JSON, and the changes that bring it there: docs/protocol.md, "The panel channel"."""
