"""Tools that the settings declare: REST APIs, MCP servers, other models, and choices of the built-in ones."""
