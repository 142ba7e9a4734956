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

Answer = TypeVar("Answer")

_UNKNOWN_NAME = re.compile(
    r"name or service not known|name resolution|nodename nor servname|getaddrinfo|no address|\bDNS\b", re.IGNORECASE
)
_CAUSES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(r"certificate has expired", re.IGNORECASE),
        "A server answers at {where}, but the certificate it shows has expired.",
        "Its administrator has to renew it.",
    ),
    (
        re.compile(r"(hostname|IP address) mismatch", re.IGNORECASE),
        "A server answers at {where}, but the certificate it shows is for another host name.",
        "Use the name that stands in the certificate, as its administrator can tell.",
    ),
    (
        re.compile(r"self[- ]signed certificate|unable to get (local )?issuer|certificate signature", re.IGNORECASE),
        "A server answers at {where}, but nobody trusted has signed the certificate it shows.",
        "Name the file of the lab's authority: option tlsCAFile=/path/to/ca.pem.",
    ),
    (
        re.compile(r"SSL|TLS|certificate", re.IGNORECASE),
        "A server answers at {where}, but no TLS connection could be made.",
        "Check whether it uses TLS at all (option tls=true or tls=false), and whether tlsCAFile names the right file.",
    ),
    (
        re.compile(r"No replica set members available for replica set name"),
        "No server at {where} belongs to the replica set that the address names.",
        "Check the option replicaSet, and that the names of the set's servers are known here.",
    ),
    (
        re.compile(r"No replica set members match selector|No primary available"),
        "The replica set of {where} has no server now that the option readPreference allows.",
        "Allow any: readPreference=nearest.",
    ),
    (
        re.compile(r"refused"),
        "Nothing listens at {where}: the connection was refused.",
        "Check the port, and that MongoDB runs and accepts connections from here (Docker: a published port).",
    ),
    (
        # While a server is looked for; one that is lost later is another matter.
        re.compile(r"(connection closed|reset by peer).*Topology Description", re.IGNORECASE | re.DOTALL),
        "A server at {where} closes every connection.",
        "It may want TLS: put tls=true into the address.",
    ),
)
"""Why no server answers: words of the driver's, and ours for them; the first that fits holds."""

_AUTHENTICATION_CODES = frozenset({11, 18, 8000})  # UserNotFound, AuthenticationFailed, Atlas's own
_UNAUTHORIZED = 13
_TIMED_OUT = 50


def answered(work: Callable[[], Answer], where: str, *, user: bool = False, auth_source_hint: str = "") -> Answer:
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


def valid(make: Callable[[], Answer], where: str) -> Answer:
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


def _explained(error: Exception, where: str, *, user: bool, auth_source_hint: str) -> DatabaseError:
    match error:
        case OperationFailure(code=code) if code != _TIMED_OUT:
            failure = _refusal(code, where, user=user, auth_source_hint=auth_source_hint)
        case OperationFailure():
            failure = DatabaseError(
                f"MongoDB at {where} did not finish the query in time.",
                "Ask for fewer qubits, a shorter time range or fewer measurements.",
            )
        case ConfigurationError() if _UNKNOWN_NAME.search(str(error)):
            failure = _unknown_host(where)
        case ConfigurationError():
            failure = _not_an_address()
        case ConnectionFailure():
            failure = _unreachable(error, where)
        case InvalidOperation():
            failure = DatabaseError(f"The connection to {where} is closed.", "Connect again.")
        case BSONError():
            failure = DatabaseError(
                f"MongoDB at {where} sent a document that cannot be decoded.", "Report this, please."
            )
        case _:
            failure = DatabaseError(f"MongoDB at {where} could not be read ({type(error).__name__}).", "Try again.")
    return failure


def _not_an_address() -> DatabaseError:
    return DatabaseError(
        "The MongoDB address is not valid.",
        "It looks like mongodb://user:password@host:27017/qdash; check the port number, the options after ?, the name "
        "of the database, and that special characters of user name and password are percent-encoded.",
    )


def _refusal(code: int | None, where: str, *, user: bool, auth_source_hint: str) -> DatabaseError:
    if code in _AUTHENTICATION_CODES:
        hint = "Check user name and password" + (f"; {auth_source_hint}" if auth_source_hint else "") + "."
        return DatabaseRefused(f"MongoDB at {where} does not accept this user and password.", hint)
    if code == _UNAUTHORIZED:
        if user:
            return DatabaseRefused(
                f"MongoDB at {where} does not let this user read the database.",
                "Ask its administrator for the role `read` on it, or choose another database.",
            )
        return DatabaseRefused(
            f"MongoDB at {where} wants a user name and password.",
            "Put them into the address: mongodb://user:password@host:27017/qdash?authSource=admin.",
        )
    return DatabaseError(
        f"MongoDB at {where} refused the command (error {code}).",
        "Its version may be too old: 5.0 or newer is needed.",
    )


def _unreachable(error: ConnectionFailure, where: str) -> DatabaseError:
    text = str(error)
    if _UNKNOWN_NAME.search(text):
        return _unknown_host(where)
    for words, message, hint in _CAUSES:
        if words.search(text):
            return DatabaseUnreachable(message.format(where=where), hint)
    if isinstance(error, (ServerSelectionTimeoutError, NetworkTimeout)):
        return DatabaseUnreachable(
            f"MongoDB at {where} did not answer in time.",
            "Check the host name, the VPN or tunnel, and the firewall.",
        )
    return DatabaseLost(f"The connection to MongoDB at {where} was lost.", "Try again in a moment.")


def _unknown_host(where: str) -> DatabaseError:
    return DatabaseUnreachable(
        f"The host of {where} is not known: its name could not be resolved.",
        "Check the spelling, or connect to the lab's network. `mongo` is known only inside QDash's containers.",
    )
