"""Which model is asked: one of the settings, the offline planner, or one of a server that was found on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.messages.message import Message, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from concurrent.futures import Future

    from qdash_jupyter.agent.thread import AgentLoop
    from qdash_jupyter.config.manifest import Manifest, ModelSection
    from qdash_jupyter.session.conversation import Conversation


class ModelChoice:
    """The choice of one user, whatever data their conversations are about."""

    def __init__(
        self,
        loop: AgentLoop,
        conversation: Callable[[], Conversation],
        tell: Callable[[Text], Coroutine[None, None, None]],
    ) -> None:
        """Nothing is chosen: the settings say which model is asked.

        Args:
            loop: the agent's.
            conversation: gives that of now.
            tell: shows what is in use now, and says this.
        """
        self._loop, self._conversation, self._tell = loop, conversation, tell
        self._name: str | None = None
        self._found: dict[str, ModelSection] = {}

    def find(self) -> bool:
        """Look for servers of models on this machine, and offer theirs; says whether there are any.

        Raises:
            PersonError: the settings or the database cannot be used.
        """
        from qdash_jupyter.llm.local import local_models

        parts = self._conversation().parts()
        known = {*parts.models} - {*self._found}  # what the settings call so stays what it is
        listed = local_models()
        found = {name: section for name, section in listed.items() if name not in known}
        parts.offer(found)
        self._found.update(found)
        self._loop.submit(self._tell("" if listed else Message("no-local-models"))).result()
        return bool(listed)

    def use(self, name: str) -> Future[Text] | None:
        """Ask another model from the next question on. One that was found on this machine is remembered, and tried:
        what that says comes later.

        Raises:
            PersonError: there is no such model, or a question is still running.
        """
        from qdash_jupyter.config.chosen import choose_model, choose_none
        from qdash_jupyter.config.manifest import OFFLINE

        self._conversation().use_model(name)
        self._name = name
        if (section := self._found.get(name)) is not None:
            choose_model(name, section)
            return self._loop.submit(self._tried(name, section))
        if name == OFFLINE:
            choose_none()
        self._loop.submit(self._tell(""))
        return None

    def carry_over(self, fresh: Conversation) -> Text:
        """Ask the same model in this conversation, if it can; otherwise that of its settings, with a sentence about it.

        Raises:
            PersonError: the settings or the database cannot be used.
        """
        parts = fresh.parts()
        if self._name is None:
            return ""
        if self._name in parts.models:
            fresh.use_model(self._name)
            return ""
        return Message("model-no-longer", name=self._name, other=parts.model)

    def forget(self) -> None:
        """The settings say again which model is asked."""
        self._name = None

    def in_settings(self, manifest: Manifest) -> Manifest:
        """The settings with this choice."""
        return manifest.asking(self._name) if self._name else manifest

    async def _tried(self, name: str, section: ModelSection) -> Text:
        from qdash_jupyter.config.chosen import choose_model
        from qdash_jupyter.config.manifest import FEWEST_TOKENS
        from qdash_jupyter.llm.local import tried

        parts = self._conversation().parts()
        await self._tell("")
        said, window = await tried(parts.llm, section)
        if window >= FEWEST_TOKENS:
            section = section.model_copy(update={"window": window})
            choose_model(name, section)
            parts.offer({name: section})
        await self._tell(said)
        return said
