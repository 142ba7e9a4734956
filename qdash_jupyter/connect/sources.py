"""Opens what the settings name: a reader, a model; those of other packages too."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from qdash_jupyter.config import installed
from qdash_jupyter.config.disk import expanded
from qdash_jupyter.config.initialization import InitializationIssue
from qdash_jupyter.config.keys import model_in_use
from qdash_jupyter.config.manifest import OFFLINE, Manifest
from qdash_jupyter.config.mask import masked_line
from qdash_jupyter.data.calib_data import CALIB_DATA, CalibData, CalibFolder, NoCalibData
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.windows import moment_of
from qdash_jupyter.errors import (
    ConfigurationError,
    CopilotError,
    DatabaseError,
    DatabaseRefused,
    PersonError,
)
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.messages.message import Message, sentences
from qdash_jupyter.tools.chips import ChipScope

logger = logging.getLogger("qdash_jupyter")

OwnModels: TypeAlias = Mapping[str, Callable[[], LLM]]
"""By name, what makes the models that the settings do not describe: the given one, and those of other packages."""


def open_reader(manifest: Manifest, *, demo: bool = False) -> QDashReader:
    """The configured reader: of another package, a snapshot or a MongoDB; the demo chip without any, or on request.

    Raises:
        DatabaseError: it cannot be used.
    """
    database = manifest.database
    if not demo and (name := database.reader) is not None:
        issues: list[InitializationIssue] = []
        readers = installed.loaded(installed.READERS, issues)
        if name not in readers:
            found = Message("not-found-known", names=tuple(readers)) if readers else ""
            hint = sentences(*(each.text for each in issues)) or Message("unknown-reader-hint")
            raise DatabaseError(sentences(Message("unknown-reader", name=name), found), hint)
        make: Callable[[], QDashReader] = partial(readers[name], **database.reader_options)
        return _made(make, Message("reader-named", name=name))
    if not demo and database.snapshot is not None:
        from qdash_jupyter.data.snapshot import SnapshotReader

        return SnapshotReader(expanded(database.snapshot))
    if not demo and (database.mongo_uri is not None or os.environ.get("MONGO_HOST", "").strip()):
        from qdash_jupyter.data.mongo.connection import connect as connect_mongo
        from qdash_jupyter.data.mongo.reader import MongoReader

        uri = database.mongo_uri.get_secret_value() if database.mongo_uri is not None else None
        return MongoReader(connect_mongo(uri, database=database.mongo_database), as_of=database.as_of)
    from qdash_jupyter.data.demo import DEMO
    from qdash_jupyter.data.snapshot import SnapshotReader

    return SnapshotReader(DEMO)


def calib_data_of(manifest: Manifest, reader: QDashReader) -> CalibData:
    """Return where the files of results are: in the configured folder, else in the snapshot, which may have been taken
    when it had a folder of them.
    """
    if (folder := manifest.database.calib_data) is not None:
        return CalibFolder(folder)
    if reader.origin.kind == "snapshot":
        from qdash_jupyter.data.calib_file import CALIB_FILE, CalibFile
        from qdash_jupyter.data.snapshot import SnapshotReader

        if isinstance(reader, SnapshotReader):
            file = reader.folder / CALIB_FILE
            return CalibFile(file) if file.exists() else CalibFolder(reader.folder / CALIB_DATA)
    return NoCalibData()


def index_words(reader: QDashReader) -> list[Message]:
    """What is to be said about the indexes of a reader's database: one line each that is missing; none of a snapshot.

    Raises:
        DatabaseError: the database cannot be read.
    """
    if reader.origin.kind != "mongodb":
        return []
    from qdash_jupyter.data.mongo.reader import MongoReader

    if not isinstance(reader, MongoReader):
        return []
    try:
        missing = reader.missing_indexes()
    except DatabaseRefused:
        return [Message("indexes-not-listed")]
    found = [
        Message("index-missing", collection=collection, fields=tuple(fields.split())) for collection, fields in missing
    ]
    return found or [Message("indexes-complete")]


def take_snapshot(
    manifest: Manifest,
    folder: Path,
    *,
    since: str | None = None,
    curves: bool = False,
    on_progress: Callable[[str, int], None] = lambda *_: None,
) -> ChipRecord:
    """Write a snapshot of the configured chip, whose data stand in MongoDB, to `folder`; with `curves` the figures (as
    Plotly JSON) and raw data of its results, too.

    Raises:
        PersonError: there is no MongoDB, no such chip, or the folder cannot be written.
    """
    calib_data = manifest.database.calib_data
    if curves and calib_data is None:
        raise PersonError.with_hint("no-calib-data")
    reader = open_reader(manifest)
    try:
        from qdash_jupyter.data.mongo.export import export_snapshot
        from qdash_jupyter.data.mongo.reader import MongoReader

        if not isinstance(reader, MongoReader):
            raise PersonError.with_hint("snapshot-needs-mongo", source=reader.origin.label)
        chip = ChipScope(manifest.database.project, manifest.chip).resolve(reader)
        start = moment_of(since, reader.now(), "--since") if since else None
        export_snapshot(
            reader, chip, folder, since=start, calib_data=calib_data if curves else None, on_progress=on_progress
        )
    finally:
        reader.close()
    return chip


def open_model(manifest: Manifest, metrics: MetricTable, own_models: OwnModels | None = None) -> LLM:
    """The configured model, on a cassette where `QDASH_CASSETTE` says so. `own_models` make those that code makes.

    Raises:
        PersonError: the settings or the cassette are wrong.
    """
    if not (mode := os.environ.get("QDASH_CASSETTE", "").strip()):
        return _configured_model(manifest, metrics, own_models)
    from qdash_jupyter.llm.cassette import CassetteLLM

    file = os.environ.get("QDASH_CASSETTE_FILE", "")
    return CassetteLLM(mode, file, lambda: _configured_model(manifest, metrics, own_models), masked_line)


def _configured_model(manifest: Manifest, metrics: MetricTable, own_models: OwnModels | None) -> LLM:
    """The configured language model, else the offline planner: a key alone never sends data out."""
    deployment = manifest.orchestrator.deployment
    if (make := (own_models or {}).get(deployment)) is not None:
        return _made(make, Message("model-named", name=deployment))
    section = model_in_use(manifest)
    if section is None and deployment != OFFLINE:
        raise ConfigurationError.with_hint("model-not-loaded", name=deployment)
    if section is None:
        from qdash_jupyter.llm.offline.planner import OfflinePlanner

        return OfflinePlanner(metrics)
    from qdash_jupyter.llm.served import served_model

    return served_model(section)


_Made = TypeVar("_Made")


def _made(make: Callable[[], _Made], what: Message) -> _Made:
    """What code of somebody else makes."""
    try:
        return make()
    except CopilotError:
        raise
    except Exception as error:
        logger.exception("The %s cannot be opened", what)
        raise PersonError.with_hint(
            "part-not-opened", what=what, error=type(error).__name__, reason=str(error)
        ) from None
