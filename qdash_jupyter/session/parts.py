"""What a conversation works with, as it sees it: `qdash_jupyter.connect` puts it together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from qdash_jupyter.domain.analysis import AskedAbout
from qdash_jupyter.domain.language import Language

if TYPE_CHECKING:
    from qdash_jupyter.agent.setting import TurnSetting
    from qdash_jupyter.cells.host import CellHost
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.config.manifest import ModelSection, StarterSection
    from qdash_jupyter.domain.answer import JsonObject
    from qdash_jupyter.llm.client import LLM
    from qdash_jupyter.store.store import FrameStore
    from qdash_jupyter.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Status:
    """What is in use, for the screen."""

    database: str
    chip: str
    model: str
    endpoint: str
    is_language_model: bool
    problems: int
    learned: str = ""
    """What the model's server turned out not to take, in words."""
    greeting: str = ""
    """What the settings say before the first question."""
    starters: tuple[StarterSection, ...] = ()
    """The settings' own questions to begin with."""
    left_out: tuple[str, ...] = ()
    """What other packages add and cannot be used, each with the reason."""


class Parts(Protocol):
    """The reader, the model and the tools, behind one door."""

    @property
    def toolbox(self) -> Toolbox:
        """The tools, bound to what they work with."""
        ...

    @property
    def question_chars(self) -> int:
        """Longest question."""
        ...

    def setting(self, language: Language, cells: CellHost, analysis: AskedAbout | None = None) -> TurnSetting:
        """What a turn in this language works with, perhaps about one result; its code runs in `cells`. May read the
        database.

        Raises:
            PersonError: there is no such result; the message names the nearest.
        """
        ...

    def status(self) -> Status:
        """What is in use. May read the database."""
        ...

    @property
    def models(self) -> Mapping[str, ModelSection | str | None]:
        """The models that can be asked, by the names that choose them: as the settings describe them, as words where
        code makes them, None for the offline planner.
        """
        ...

    @property
    def model(self) -> str:
        """The name of the one that is asked."""
        ...

    def use_model(self, name: str) -> LLM | None:
        """Ask that model from now on; gives the one before, for closing, unless somebody else closes it.

        Raises:
            PersonError: there is no such model.
        """
        ...

    def offered_results(self, words: str) -> JsonObject:
        """The newest results that fit the words, for a user to choose from. Reads the database.

        Raises:
            PersonError: there are none; the message names the nearest.
        """
        ...

    async def close(self) -> None:
        """Give back connections and files."""
        ...


BuildParts: TypeAlias = "Callable[[Namespace, FrameStore], Parts]"
