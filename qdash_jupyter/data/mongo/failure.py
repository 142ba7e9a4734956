"""What pymongo reports, said in the words of this package: what happened, and what to do about it.

No text of pymongo's goes through where it could repeat an address, and errors are never chained: an address may hold a
password.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from bson.errors import BSONError
from pymongo.errors import (
    ConfigurationError,
    ConnectionFailure,
    InvalidOperation,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)

from qdash_jupyter.errors import DatabaseError, DatabaseLost, DatabaseRefused, DatabaseUnreachable
from qdash_jupyter.messages.message import Message, Text, sentences

Answer = TypeVar("Answer")

_UNKNOWN_NAME = re.compile(
    r"name or service not known|name resolution|nodename nor servname|getaddrinfo|no address|\bDNS\b", re.IGNORECASE
)
_CAUSES = {
    "tls-expired": r"certificate has expired",
    "tls-other-host": r"(hostname|IP address) mismatch",
    "tls-untrusted": r"self[- ]signed certificate|unable to get (local )?issuer|certificate signature",
    "tls-failed": r"SSL|TLS|certificate",
    "replica-set-unknown": r"No replica set members available for replica set name",
    "replica-set-without-server": r"No replica set members match selector|No primary available",
    "connection-refused": r"refused",
    # While a server is looked for; one that is lost later is another matter.
    "connections-closed": r"(connection closed|reset by peer).*Topology Description",
}
"""Why no server answers, and the driver's words for it; the first that fits holds."""
_AUTHENTICATION_CODES = frozenset({11, 18, 8000})  # UserNotFound, AuthenticationFailed, Atlas's own
_UNAUTHORIZED = 13
_TIMED_OUT = 50


def answered(work: Callable[[], Answer], where: Text, *, user: bool = False, auth_source_hint: Text = "") -> Answer:
    """The result of `work`, which talks to the database at `where` (host and database, no secrets).

    Args:
        work: what to do; it may be stopped by any error of pymongo's.
        where: the database, as it may be shown.
        user: whether we gave a user name.
        auth_source_hint: what to add when the user is not accepted.

    Raises:
        DatabaseError: the database did not answer; one of its subclasses where the cause is known.
    """
    try:
        return work()
    except (PyMongoError, BSONError) as error:
        failure = _explained(error, where, user=user, auth_source_hint=auth_source_hint)
    # Raised outside the handler, so that not even `__context__` leads to pymongo's error.
    raise failure


def valid(make: Callable[[], Answer], where: Text) -> Answer:
    """The client or database made from an address, before anything is sent.

    Raises:
        DatabaseUnreachable: the name of a `mongodb+srv` address cannot be resolved.
        DatabaseError: the address has a wrong port, option, or database name.
    """
    try:
        return make()
    except (PyMongoError, ValueError, TypeError) as error:
        failure = _of_address(error, where)
    raise failure


def _explained(error: Exception, where: Text, *, user: bool, auth_source_hint: Text) -> DatabaseError:
    match error:
        case OperationFailure(code=code) if code != _TIMED_OUT:
            failure = _refusal(code, where, user=user, auth_source_hint=auth_source_hint)
        case OperationFailure():
            failure = DatabaseError.with_hint("query-timed-out", host=where)
        case ConfigurationError():
            failure = _of_address(error, where)
        case ConnectionFailure():
            failure = _unreachable(error, where)
        case InvalidOperation():
            failure = DatabaseError.with_hint("connection-closed", host=where)
        case BSONError():
            failure = DatabaseError.with_hint("undecodable-document", host=where)
        case _:
            reason = type(error).__name__
            failure = DatabaseError(Message("mongo-unreadable", host=where, reason=reason), Message("try-again"))
    return failure


def _of_address(error: Exception, where: Text) -> DatabaseError:
    if _UNKNOWN_NAME.search(str(error)):
        return DatabaseUnreachable.with_hint("mongo-unknown-host", host=where)
    return DatabaseError.with_hint("mongo-address-invalid")


def _refusal(code: int | None, where: Text, *, user: bool, auth_source_hint: Text) -> DatabaseError:
    if code in _AUTHENTICATION_CODES:
        hint = sentences(Message("mongo-wrong-password-hint"), auth_source_hint)
        return DatabaseRefused(Message("mongo-wrong-password", host=where), hint)
    if code == _UNAUTHORIZED:
        if user:
            return DatabaseRefused.with_hint("mongo-no-right", host=where)
        return DatabaseRefused.with_hint("mongo-needs-password", host=where)
    return DatabaseError.with_hint("mongo-refused", host=where, code=str(code))


def _unreachable(error: ConnectionFailure, where: Text) -> DatabaseError:
    text = str(error)
    if _UNKNOWN_NAME.search(text):
        return _of_address(error, where)
    for cause, words in _CAUSES.items():
        if re.search(words, text, re.IGNORECASE | re.DOTALL):
            return DatabaseUnreachable.with_hint("mongo-no-server", host=where, why=cause)
    if isinstance(error, (ServerSelectionTimeoutError, NetworkTimeout)):
        return DatabaseUnreachable.with_hint("mongo-silent", host=where)
    return DatabaseLost.with_hint("mongo-lost", host=where)
