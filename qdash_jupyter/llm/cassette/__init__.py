"""Conversations with a language model, recorded to a file and played from it: `QDASH_CASSETTE`, `QDASH_CASSETTE_FILE`.

canonical    a request without what differs from run to run: clock, ids, spelling of JSON
spelling     JSON texts as values that a user can read in the file, and exactly back
tape         the file: readable YAML, one document a request
model        `CassetteLLM`: a language model that records, replays, or does what is needed
"""

from qdash_jupyter.llm.cassette.model import CassetteLLM

__all__ = ["CassetteLLM"]
