"""A language model over the OpenAI Responses API.

model       `ResponsesLLM`: one request a round, streamed
items       the items of a response, put together of whatever told of them
stream      the server's events, read into deltas and one `Reply`
"""

from qdash_jupyter.llm.responses.model import ResponsesLLM

__all__ = ["ResponsesLLM"]
