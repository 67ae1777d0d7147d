"""Dense base network: kind, size, place, facing and block of every base at one look, and where its rim is in sight."""
