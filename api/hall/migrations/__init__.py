"""Migrations of the hub's database, by Alembic; the hub brings its database up to date when it starts."""
