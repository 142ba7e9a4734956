"""How secrets are known again in texts."""

from __future__ import annotations

import json
from urllib.parse import quote

HIDDEN = "[hidden]"
"""What stands in a secret's place."""

FEWEST_CHARS = 8
"""Keys that servers give out have 20 characters and more. What is shorter than 8 is most often a stand-in such as
`none` or `test`, for a server that wants any key, and its letters stand in ordinary words too.
"""


def spellings(secret: str) -> frozenset[str]:
    """The secret as it is, as a URL has it, and as JSON writes it."""
    return frozenset(
        {
            secret,
            quote(secret, safe="", errors="replace"),
            json.dumps(secret)[1:-1],
            json.dumps(secret, ensure_ascii=False)[1:-1],
        }
    )
