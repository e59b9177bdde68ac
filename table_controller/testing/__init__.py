"""For pytest: an owner's scenarios are tests."""
