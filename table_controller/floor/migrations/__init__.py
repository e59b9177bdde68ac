"""How the floor's database came to its present tables; Alembic runs them."""
