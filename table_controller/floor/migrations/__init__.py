"""The steps by which the floor's database got its present schema. Alembic runs them."""
