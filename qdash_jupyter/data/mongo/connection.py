"""Connects to QDash's MongoDB, or says in one sentence why that is not possible."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from pymongo import MongoClient
from pymongo.database import Database
from pymongo.errors import PyMongoError

from qdash_jupyter.data.mongo.address import HOST_VARIABLE, URI_VARIABLE, MongoAddress, host_and_port, mongo_address
from qdash_jupyter.data.mongo.failure import answered, valid
from qdash_jupyter.errors import DatabaseError
from qdash_jupyter.messages.message import Field, Message, Text, cut

QDASH_COLLECTIONS = frozenset({"chip", "qubit", "task_result_history"})
"""Every database that QDash has used holds at least one of these."""

SELECTION_SECONDS = 3.0
QUERY_SECONDS = 30.0
"""The server stops a query after this time; the client waits a little longer for its word."""

_GRACE_SECONDS = 5.0
_NAMES_SHOWN = 10

MongoDatabase = Database[dict[str, Any]]


def connect(
    uri: str | None = None,
    *,
    database: str | None = None,
    environ: Mapping[str, str] | None = None,
    timeout_seconds: float = SELECTION_SECONDS,
) -> MongoDatabase:
    """The database, after a round trip that proved it can be read.

    Args:
        uri: a MongoDB address; without it `QDASH_MONGO_URI`, then QDash's `MONGO_HOST`, `MONGO_PORT`,
            `MONGO_INITDB_ROOT_USERNAME`, `MONGO_INITDB_ROOT_PASSWORD` and `MONGO_DB_NAME`.
        database: its name; without it the one in the address, then `MONGO_DB_NAME`, then `qdash`.
        environ: where the variables are read; the process's environment by default.
        timeout_seconds: how long to look for the server; an address that sets the option itself wins.

    Raises:
        DatabaseUnreachable: no server answers: unknown name, refused connection, TLS, network.
        DatabaseRefused: wrong user or password, or no right to read.
        DatabaseError: no address is set, the address is none, or the database is not QDash's.
    """
    address = mongo_address(uri, database, os.environ if environ is None else environ)
    if address is None:
        raise DatabaseError.with_hint("no-mongo", variable=URI_VARIABLE, qdash_variable=HOST_VARIABLE)
    has_user = address.username is not None or "@" in address.uri
    hint = _auth_source_hint(address)
    client = valid(lambda: _client(address, timeout_seconds), address.label)
    try:
        found = valid(lambda: client.get_database(address.database), address.label)
        answered(lambda: client.admin.command("ping"), address.label, user=has_user, auth_source_hint=hint)
        # Without a right to list collections the first read says whether there is a right to read.
        answered(lambda: found["chip"].find_one({}, {"_id": 1}), address.label, user=has_user, auth_source_hint=hint)
        _check_collections(client, found, address)
    except BaseException:
        client.close()
        raise
    return found


def label_of(database: MongoDatabase) -> str:
    """Host(s) and name of a database whose client has connected, for the screen and for errors."""
    hosts = ",".join(sorted(host_and_port(*node) for node in database.client.nodes))
    return f"{hosts or 'MongoDB'}/{database.name}"


def _client(address: MongoAddress, timeout_seconds: float) -> MongoClient[dict[str, Any]]:
    options: dict[str, Any] = {"tz_aware": True, "datetime_conversion": "DATETIME_AUTO", "appname": "qdash-jupyter"}
    # Not `pymongo.timeout`: it would replace the time to look for a server and the limit that the server is given.
    limits = {
        "serverSelectionTimeoutMS": timeout_seconds,
        "connectTimeoutMS": timeout_seconds,
        "socketTimeoutMS": QUERY_SECONDS + _GRACE_SECONDS,
    }
    options |= {name: int(seconds * 1000) for name, seconds in limits.items() if not address.option(name)}
    if address.username is not None:
        options |= {"username": address.username, "password": address.password or ""}
    return MongoClient(address.uri, **options)


def _auth_source_hint(address: MongoAddress) -> Text:
    if address.names_database and not address.option("authSource"):
        return Message("mongo-auth-source")
    return ""


def _check_collections(client: MongoClient[dict[str, Any]], database: MongoDatabase, address: MongoAddress) -> None:
    names = _names_in(database)
    if names is None or names & QDASH_COLLECTIONS:
        return
    problem = (
        Message("mongo-not-qdash", database=address.label, names=_listed(names))
        if names
        else Message("mongo-database-empty", database=address.label)
    )
    raise DatabaseError(problem, _other_databases(client, address.database))


def _names_in(database: MongoDatabase) -> set[str] | None:
    try:
        return set(database.list_collection_names())
    except PyMongoError:
        return None


def _other_databases(client: MongoClient[dict[str, Any]], asked: str) -> Message:
    try:
        names = [name for name in client.list_database_names() if name not in {asked, "admin", "config", "local"}]
    except PyMongoError:
        return Message("mongo-check-database")
    good = [name for name in names[:_NAMES_SHOWN] if (_names_in(client[name]) or set()) >= {"chip"}]
    if good:
        return Message("mongo-other-database", names=_listed(good), example=good[0])
    if names:
        return Message("mongo-no-qdash-database", names=_listed(names))
    return Message("mongo-no-databases")


def _listed(names: Iterable[str]) -> Field:
    return cut(sorted(names), _NAMES_SHOWN)
