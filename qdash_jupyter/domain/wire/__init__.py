"""What crosses the wire between kernel, pages and panels, defined once: docs/protocol.md shows it, and the TypeScript
types in js/src/shared/wire.ts are made of it by scripts/wire_types.py.

`page` is what pages and panels send (foreign: read by pydantic), `kernel` what the kernel sends to pages, `panel` what
it sends to panels. The kernel's own messages are plain dicts, whose types pyrefly checks and tests validate.

Page and kernel may be of different versions: a field that is added later is `NotRequired`, or has a default.
"""

PROTOCOL = 1
