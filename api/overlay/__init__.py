"""Stream overlay: which verdict is on air, since when, and the page that draws it.

Imports the hub and the words of the table; nothing else of the server knows it but the wiring.
"""
