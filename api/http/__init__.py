"""HTTP: OpenAPI, RFC 9457 problems, same origin, NDJSON."""
