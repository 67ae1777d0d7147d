"""Live table: hub, messages, subscribers, server-sent events, snapshot and patch."""
