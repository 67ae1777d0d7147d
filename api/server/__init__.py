"""Server: app, wiring, hosting."""
