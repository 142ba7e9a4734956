"""A language model over the OpenAI Responses API, with the `openai` SDK (imported at the first question, not before).

endpoint    where the server is; the URL without its password, and values that do not print
model       `ResponsesLLM`: one request a round, streamed
stream      the server's events, read into deltas and one `Reply`
failures    what went wrong, in our errors and without keys
"""

from qdash_jupyter.llm.responses.model import ResponsesLLM

__all__ = ["ResponsesLLM"]
