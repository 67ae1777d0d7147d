"""Tables rendered with Blender, to judge by: nothing here was ever shown to the network, and no drawing code or asset
is shared with `training.drawn`.

Needs the package `bpy` (it pins an older numpy, so give it an environment of its own):

    python -m vision.training.blender OUT --seed 100 --tables 4 --view overhead-4k

Each table is a JPEG, its truth, and the camera and layout files that `tableside locate` reads.
"""
