"""Lists: two army lists at one table, and which miniature is which entry.

army       a list that was read, with its cards -> the expected miniatures, and the open questions
naming     which bases each entry may be: size, side by paint, unit formation, deployment
naming_step   entries and their bases, chosen or by place -> the step that names them
schemas    what crosses the wire
"""
