"""Lists: two army lists at one table, and who of them is who.

army       a list that was read, with its cards -> those who are expected, and what nobody guesses
naming     which bases each entry may be: size, side by paint, unit formation, deployment
naming_step   an entry and the bases it is -> the one step that names them
schemas    what crosses the wire
"""
