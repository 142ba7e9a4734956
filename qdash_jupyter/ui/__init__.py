"""What people touch: magics, the command line, and how answers are shown and saved."""
