"""Where a MongoDB is: read from a URI or from QDash's variables, checked first, shown without secrets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from qdash_jupyter.errors import DatabaseError
from qdash_jupyter.messages.message import Message, Text, one_of

URI_VARIABLE = "QDASH_MONGO_URI"
HOST_VARIABLE = "MONGO_HOST"
DEFAULT_DATABASE = "qdash"
DEFAULT_PORT = 27017

_COMPOSE_HOST = "mongo"
_SCHEMES = ("mongodb://", "mongodb+srv://")
_EXAMPLE = Message("mongo-address-example")


@dataclass(frozen=True, slots=True)
class MongoAddress:
    """A MongoDB database to read. `repr` and `label` hold neither user nor password; `uri` and `password` may.

    `source` says where the address was read, for error messages; `names_database` whether the URI itself names one.
    """

    uri: str = field(repr=False)
    hosts: str
    database: str
    source: Text
    username: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    names_database: bool = False

    @property
    def label(self) -> str:
        """Host(s) and database, for the screen: `mongo.lab:27017/qdash`."""
        return f"{self.hosts}/{self.database}"

    def option(self, name: str) -> bool:
        """Whether the URI sets the option of this name (any case)."""
        options = self.uri.partition("?")[2].lower().split("&")
        return any(option.partition("=")[0] == name.lower() for option in options)


def mongo_address(uri: str | None, database: str | None, environ: Mapping[str, str]) -> MongoAddress | None:
    """The address from `uri`, else `QDASH_MONGO_URI`, else QDash's own variables; None when nothing is set.

    Raises:
        DatabaseError: the URI cannot be one. The message never repeats it, as it may hold a password.
    """
    if uri is not None:
        return _from_uri(uri, database, environ, Message("given-address"))
    if text := environ.get(URI_VARIABLE, "").strip():
        return _from_uri(text, database, environ, URI_VARIABLE)
    if host := environ.get(HOST_VARIABLE, "").strip():
        return _from_qdash(host, database, environ)
    return None


def host_and_port(host: str, port: int | None) -> str:
    """A server's address as people write it; IPv6 in brackets, sockets as their path."""
    if port is None:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _from_uri(uri: str, database: str | None, environ: Mapping[str, str], source: Text) -> MongoAddress:
    text = uri.strip()
    scheme = next((scheme for scheme in _SCHEMES if text.startswith(scheme)), None)
    if scheme is None:
        raise DatabaseError(Message("mongo-address-scheme", source=source, schemes=one_of(_SCHEMES)), _EXAMPLE)
    rest, _, options = text[len(scheme) :].partition("?")
    servers, _, path = rest.partition("/")
    credentials, at, hosts = servers.rpartition("@")
    # An unescaped @ / or ? in a password moves part of it to where hosts, database or options stand: refused here,
    # before any of these parts is shown or looked up by name.
    if "@" in credentials or "@" in path or ("@" in options and not at) or credentials.count(":") > 1:
        raise DatabaseError.with_hint("mongo-address-unescaped", source=source)
    if not hosts or any(character.isspace() for character in hosts):
        raise DatabaseError(Message("mongo-address-no-host", source=source), _EXAMPLE)
    named = unquote(path)
    return MongoAddress(
        uri=text,
        hosts=",".join(_with_port(host) for host in hosts.split(",")) if scheme == _SCHEMES[0] else hosts,
        database=database or named or environ.get("MONGO_DB_NAME") or DEFAULT_DATABASE,
        source=source,
        names_database=bool(named),
    )


def _from_qdash(host: str, database: str | None, environ: Mapping[str, str]) -> MongoAddress:
    port = str(DEFAULT_PORT)
    if host != _COMPOSE_HOST:  # as in QDash: inside its compose network the port is fixed
        port = environ.get("MONGO_PORT", "").strip() or port
    if not port.isdecimal():
        raise DatabaseError.with_hint("mongo-port", value=port)
    if any(character in host for character in "/@?,") or any(character.isspace() for character in host):
        raise DatabaseError.with_hint("mongo-host", variable=URI_VARIABLE)
    where = host_and_port(host, int(port))
    return MongoAddress(
        uri=f"mongodb://{where}/",
        hosts=where,
        database=database or environ.get("MONGO_DB_NAME") or DEFAULT_DATABASE,
        source=HOST_VARIABLE,
        username=environ.get("MONGO_INITDB_ROOT_USERNAME") or None,
        password=environ.get("MONGO_INITDB_ROOT_PASSWORD") or None,
    )


def _with_port(host: str) -> str:
    bracketed = host.endswith("]") or ":" not in host
    return f"{host}:{DEFAULT_PORT}" if bracketed and not host.endswith(".sock") else host
