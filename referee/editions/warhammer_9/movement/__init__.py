"""Movement of units: legs, wheels, reforms, flight and pursuit."""
