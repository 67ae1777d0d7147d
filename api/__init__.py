"""HTTP, WebSocket, the phone's pages, the command line, and the wiring.

The only one that knows all the others.
"""
