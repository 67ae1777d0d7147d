"""Rosters: the army lists that players have on their phones, from bytes to one kind of value.

    file_opening     zipped or not, named right or wrong; caps on size and depth; XML and JSON as one tree
    battlescribe     that tree -> units, models, cards
    old_world_builder, warmachine_json, pasted_text, typed_lines   the other formats, one module each
    base_sizes       the words in them: `25x50`, `3-15`, which game
    layout_file      how the lines of a program look, as templates in TOML: layouts.toml, and files that a user adds
    declared_layouts a text of such a program -> units; column_table  the same of CSV and spreadsheets
    conservation     a price or a frame is no unit; each line is accounted for, or asked about
    read             bytes -> RosterList, whatever they are

Nothing of a file is trusted: no entity is expanded, no doctype is read, and what would be too large is not unpacked.
"""
