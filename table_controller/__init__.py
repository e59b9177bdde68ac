"""The card table: rules, engine, service, and the adapters to the world."""
