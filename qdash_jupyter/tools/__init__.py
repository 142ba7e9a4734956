"""What the model may call. One file a subject; each tool is declared once, in its file, and listed in `builtin`."""
