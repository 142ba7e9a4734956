"""QDash's data, read only: one Protocol, a reader for MongoDB and one for snapshot folders."""
