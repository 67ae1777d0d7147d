"""One module a change of the schema, never edited after a release."""
