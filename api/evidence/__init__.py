"""Evidence: the picture a verdict came from, and all that was known then, kept beside the journal.

A ring of the newest settled pictures (`picture_ring`) makes evidence of earlier moments possible; what a ruling or a
player keeps is cut from them (`pictures`), named by its SHA-256 (`store`) and on the disk before its line is
acknowledged (`service`).
"""
