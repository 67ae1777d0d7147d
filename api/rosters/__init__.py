"""Rosters: the army lists that players have on their phones, from bytes to one kind of value.

    file_opening     whose format it is; zipped or not, named right or wrong; caps on size and depth
    selection_tree   XML and JSON of BattleScribe and New Recruit as one tree
    battlescribe     that tree -> units, models, cards
    old_world_builder, warmachine_json, pasted_text, typed_lines   the other formats, one module each
    base_sizes, card_numbers, game_names   the words in them: `25x50`, `3-15`, which game
    declared_layouts War Room 2 and Army Builder: signature and patterns of their lines, as data
    conservation     a price or a frame is no unit; each line is accounted for, or asked about
    read             bytes -> RosterList, whatever they are

Nothing of a file is trusted: no entity is expanded, no doctype is read, and what would be too large is not unpacked.
"""
