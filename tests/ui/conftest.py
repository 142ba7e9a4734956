"""One kernel for the tests of this folder that do not need one of their own."""

from collections.abc import Iterator

import pytest

from tests.ui.kernel import Kernel, kernel


@pytest.fixture(scope="module")
def demo_kernel() -> Iterator[Kernel]:
    """A kernel on the demo chip, with the extension loaded."""
    with kernel() as running:
        running.run("%load_ext qdash_jupyter")
        yield running
