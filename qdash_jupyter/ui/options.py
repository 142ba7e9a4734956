"""The options that the command line and `%copilot use` share: which database, project and chip."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.safe_text import one_line
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.messages.message import all_of


@dataclass(frozen=True, slots=True)
class DataOptions:
    """Where the data come from; None leaves it to the settings."""

    demo: bool = False
    snapshot: str | None = None
    mongo: str | None = None
    project: str | None = None
    chip: str | None = None
    qid: str | None = None

    def patch(self) -> dict[str, Any]:
        """The options as the last layer of the settings."""
        database: dict[str, Any] = {}
        if self.demo or self.snapshot is not None or self.mongo is not None:
            database = {"snapshot": self.snapshot, "mongo_uri": self.mongo}
        if self.project is not None:
            database["project"] = self.project
        patch = {"database": database or None, "chip": self.chip, "qid": self.qid}
        return {name: value for name, value in patch.items() if value is not None}

    def line(self) -> str:
        """The options as one writes them, for a notebook. A MongoDB address may hold a password: it is left out."""
        words = ["--demo"] if self.demo else []
        for name in ("snapshot", "project", "chip", "qid"):
            value = getattr(self, name)
            if value is not None:
                words += [f"--{name}", shlex.quote(one_line(value))]  # a second line would be code
        return " ".join(words)


def options_of(settings: Mapping[str, Any] | None, *, demo: bool) -> DataOptions:
    """What a last layer of the settings says of these."""
    given = settings or {}
    database = given.get("database") or {}
    places = {} if demo else {"snapshot": database.get("snapshot"), "mongo": database.get("mongo_uri")}
    return DataOptions(demo, project=database.get("project"), chip=given.get("chip"), qid=given.get("qid"), **places)


def setup_lines(options: DataOptions | None) -> tuple[str, ...]:
    """The lines by which a notebook gets a `copilot` on these data; none: on those of the settings."""
    use = options.line() if options is not None else ""
    return ("%load_ext qdash_jupyter", *([f"%copilot use {use}"] if use else []))


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--demo", action="store_true", help="the generated demo chip")
    where.add_argument("--snapshot", metavar="DIR", help="a snapshot folder")
    where.add_argument("--mongo", metavar="URI", help="a MongoDB address (better: set QDASH_MONGO_URI)")
    parser.add_argument("--project", metavar="ID", help="project, where the database has several")
    parser.add_argument("--chip", metavar="ID", help="the current chip")
    parser.add_argument("--qid", metavar="ID", help="the current qubit or coupling")


def data_options(arguments: argparse.Namespace) -> DataOptions:
    """The options of a parsed command line."""
    return DataOptions(
        arguments.demo, arguments.snapshot, arguments.mongo, arguments.project, arguments.chip, arguments.qid
    )


def options_given(given: Mapping[str, str]) -> DataOptions:
    """The options as `%copilot use` has them.

    Raises:
        QuestionError: they name two places.
    """
    if len(places := [f"`--{name}`" for name in ("demo", "snapshot", "mongo") if name in given]) > 1:
        raise QuestionError.with_hint("several-sources", names=all_of(places))
    return DataOptions("demo" in given, *map(given.get, ("snapshot", "mongo", "project", "chip", "qid")))
