"""Camera: the process beside the server: sources, reconnect, watchdog, frame loop, reports, commands."""
