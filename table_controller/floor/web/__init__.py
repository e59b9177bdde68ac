"""The floor's pages: all tables at a glance, and each table as its guests see it."""
