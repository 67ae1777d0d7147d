"""Cards: the library a player owns, one readable TOML file a faction, and which card an entry of a list means.

card_file   TOML <-> cards
library     the files of a folder, and the invented faction that is shipped
matching    an entry of a list -> its card, by id, else by name; asked where two fit
marches.toml   the invented faction: demo, docs and tests play with it
"""
