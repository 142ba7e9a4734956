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
        failure = _unknown_host(where) if _UNKNOWN_NAME.search(str(error)) else _not_an_address()
    raise failure


def _explained(error: Exception, where: Text, *, user: bool, auth_source_hint: Text) -> DatabaseError:
    match error:
        case OperationFailure(code=code) if code != _TIMED_OUT:
            failure = _refusal(code, where, user=user, auth_source_hint=auth_source_hint)
        case OperationFailure():
            failure = DatabaseError(Message("query-timed-out", host=where), Message("query-timed-out-hint"))
        case ConfigurationError() if _UNKNOWN_NAME.search(str(error)):
            failure = _unknown_host(where)
        case ConfigurationError():
            failure = _not_an_address()
        case ConnectionFailure():
            failure = _unreachable(error, where)
        case InvalidOperation():
            failure = DatabaseError(Message("connection-closed", host=where), Message("connection-closed-hint"))
        case BSONError():
            failure = DatabaseError(Message("undecodable-document", host=where), Message("undecodable-document-hint"))
        case _:
            reason = type(error).__name__
            failure = DatabaseError(Message("mongo-unreadable", host=where, reason=reason), Message("try-again"))
    return failure


def _not_an_address() -> DatabaseError:
    return DatabaseError(Message("mongo-address-invalid"), Message("mongo-address-invalid-hint"))


def _refusal(code: int | None, where: Text, *, user: bool, auth_source_hint: Text) -> DatabaseError:
    if code in _AUTHENTICATION_CODES:
        hint = sentences(Message("mongo-wrong-password-hint"), auth_source_hint)
        return DatabaseRefused(Message("mongo-wrong-password", host=where), hint)
    if code == _UNAUTHORIZED:
        if user:
            return DatabaseRefused(Message("mongo-no-right", host=where), Message("mongo-no-right-hint"))
        return DatabaseRefused(Message("mongo-needs-password", host=where), Message("mongo-needs-password-hint"))
    return DatabaseError(Message("mongo-refused", host=where, code=str(code)), Message("mongo-refused-hint"))


def _unreachable(error: ConnectionFailure, where: Text) -> DatabaseError:
    text = str(error)
    if _UNKNOWN_NAME.search(text):
        return _unknown_host(where)
    for cause, words in _CAUSES.items():
        if re.search(words, text, re.IGNORECASE | re.DOTALL):
            message = Message("mongo-no-server", host=where, why=cause)
            return DatabaseUnreachable(message, Message("mongo-no-server-hint", why=cause))
    if isinstance(error, (ServerSelectionTimeoutError, NetworkTimeout)):
        return DatabaseUnreachable(Message("mongo-silent", host=where), Message("mongo-silent-hint"))
    return DatabaseLost(Message("mongo-lost", host=where), Message("mongo-lost-hint"))


def _unknown_host(where: Text) -> DatabaseError:
    return DatabaseUnreachable(Message("mongo-unknown-host", host=where), Message("mongo-unknown-host-hint"))
