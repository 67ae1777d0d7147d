"""What a whole hall does to its hubs: simulated tables, judges and spectators against the real servers."""
