"""Routes: one router a resource, the WebSocket, authorisation."""
