"""The hooks of all tests, in tests/ and workshop/tests/."""

from tests.hooks import *  # noqa: F403
