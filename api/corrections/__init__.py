"""Corrections: what players tell that the camera cannot know, in steps that both see and either may take back.

A correction is laid over the measured table, and over each later one, by the ids of the miniatures: who was named once
keeps the name when it moves. What is told of a place ends when the place does: a told facing or contact holds until one
of the two was moved.

    GET  /api/v1/corrections         every step, the oldest first
    POST /api/v1/corrections         {"do": "miniature", "ids": ["m3"], "name": "Lancer", "side": "red"}
                                     {"do": "lay", "terrain": [...], "effects": [...], "objectives": [...], ...}
                                     {"do": "take-away", "ids": ["w1"]}
                                     {"do": "contact", "a": "m3", "b": "m7", "is_touching": true}
                                     {"do": "base", "id": "giant", "at_mm": [412, 655], "base": {...}}
                                     {"do": "reject", "polygon_mm": [...]}: no terrain there, propose none
                                     {"do": "table", "edition": "...", "scenario": {...}, "sides": [...], ...}
                                     {"do": "several", "corrections": [...]}: all of these as one step
                                     ?seen=17: refused where somebody told the same since line 17
    POST /api/v1/corrections/undo    {} for the newest step, {"n": 17} for a certain one
    POST /api/v1/corrections/redo    the same

All listeners of `/api/v1/live` hear `{"type": "steps", ...}`, and a `change` or a new snapshot of the table itself.
Steps stand in the journal as `corrected`, `undone` and `redone`; a step is named by the number of its line.
"""
