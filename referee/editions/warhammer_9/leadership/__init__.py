"""Leadership: tests, command range, panic and rally."""
