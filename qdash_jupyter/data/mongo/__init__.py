"""QDash's MongoDB: connections, queries and the live reader. The only package that imports pymongo."""

from qdash_jupyter.data.mongo.connection import connect
from qdash_jupyter.data.mongo.reader import MongoReader

__all__ = ["MongoReader", "connect"]
