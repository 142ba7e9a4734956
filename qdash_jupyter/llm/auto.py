"""A language model at a server of which nobody said which API it speaks."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from qdash_jupyter.errors import NoSuchApi
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.client import LLM, ModelCard, ModelRequest, ReplyPart
from qdash_jupyter.llm.responses import ResponsesLLM


class AutoLLM:
    """Asks over the Responses API, and over Chat Completions once the server has turned out not to have the first.

    It falls over within a reply: the request is not lost, and what was learned is remembered.
    """

    def __init__(self, responses: ResponsesLLM, chat: ChatCompletionsLLM) -> None:
        """Both clients are of the same model and server, and share what is known of it."""
        self._responses, self._chat = responses, chat

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._in_use!r})"

    @property
    def card(self) -> ModelCard:
        """The model's name and the host that gets the questions."""
        return self._in_use.card

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """Stream deltas, then the reply, from the API that the server has."""
        missing: list[NoSuchApi] = []
        for model in (self._responses, self._chat) if self._in_use is self._responses else (self._chat,):
            try:
                async with aclosing(model.reply(request)) as parts:
                    async for part in parts:
                        if missing:
                            await self._responses.capabilities.learn(api_style="chat_completions")
                        yield part
            except NoSuchApi as error:
                missing.append(error)
            else:
                return
        # A server that has neither is at another address, which is what the first error says.
        raise missing[0]

    async def close(self) -> None:
        """Close the connections of this event loop."""
        await self._responses.close()
        await self._chat.close()

    @property
    def _in_use(self) -> LLM:
        return self._responses if self._responses.capabilities.known.api_style == "responses" else self._chat
