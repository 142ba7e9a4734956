"""Results of tools as live DataFrames in the kernel, and the short summaries of them that the model reads."""
