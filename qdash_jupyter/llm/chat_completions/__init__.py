"""A language model over the Chat Completions API: Ollama, vLLM, llama.cpp, gateways, Azure.

model           `ChatCompletionsLLM`: one request a round, streamed where the server streams
messages        the conversation's items as messages
body            the request: what the server takes of tools, schema, streaming and parameters
lessons         what a refusal teaches about the server
events          server-sent events, as JSON
content         thoughts within the text, told apart from the answer
stream          chunks, read into deltas and one `Reply`
written_calls   tool calls that a model wrote as text
"""

from qdash_jupyter.llm.chat_completions.model import ChatCompletionsLLM

__all__ = ["ChatCompletionsLLM"]
