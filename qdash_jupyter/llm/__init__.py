"""The language model behind one Protocol: the Responses API, the offline planner, and scripted replies for tests."""
