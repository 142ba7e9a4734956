"""QDash's MongoDB: connections, queries and the live reader. The only package that imports pymongo."""
