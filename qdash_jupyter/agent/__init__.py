"""The agent: rounds of the model and its tools, from a question to an answer."""
