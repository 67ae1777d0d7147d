"""A full hall: phones, spectators and overlays at one real server, played by one process."""
