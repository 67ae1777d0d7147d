"""Materials: plastic, metal, cloth, sand, wood, stone, from noise that Blender works out itself."""

import colorsys
import random as dice
from typing import Any

import bpy

Colour = tuple[float, float, float, float]
MATS = ("grass", "sand", "snow", "ash", "cobbles", "planks", "cloth", "swamp")
_EARTH = {
    "grass": ((0.10, 0.22, 0.05), (0.22, 0.32, 0.09)),
    "sand": ((0.55, 0.42, 0.24), (0.70, 0.58, 0.36)),
    "snow": ((0.75, 0.78, 0.82), (0.92, 0.93, 0.95)),
    "ash": ((0.02, 0.02, 0.022), (0.06, 0.055, 0.05)),
    "cobbles": ((0.20, 0.19, 0.18), (0.38, 0.36, 0.33)),
    "planks": ((0.20, 0.10, 0.04), (0.36, 0.20, 0.09)),
    "cloth": ((0.03, 0.07, 0.20), (0.06, 0.11, 0.26)),
    "swamp": ((0.07, 0.08, 0.04), (0.19, 0.16, 0.08)),
}


def plain(colour: Colour, *, rough: float = 0.6, metal: float = 0.0) -> Any:
    """Smooth plastic or metal of one colour."""
    material = bpy.data.materials.new("plain")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Metallic"].default_value = metal
    return material


def any_paint(random: dice.Random) -> Any:
    return plain(
        any_colour(random), rough=random.uniform(0.3, 0.9), metal=random.random() if random.random() < 0.2 else 0
    )


def any_colour(random: dice.Random) -> Colour:
    r, g, b = colorsys.hsv_to_rgb(random.random(), random.random() ** 0.7, random.uniform(0.03, 0.9))
    return r, g, b, 1.0


def ground(name: str, random: dice.Random, *, grain_mm: float | None = None) -> Any:
    """Rough ground of this name: two shades, mixed by noise of two grains, or by stones or boards."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    place = nodes.new("ShaderNodeNewGeometry").outputs["Position"]  # in mm, however a thing is stretched
    ramp = nodes.new("ShaderNodeValToRGB")
    for stop, colour, at in zip(ramp.color_ramp.elements, _EARTH[name], (0.3, 0.7), strict=True):
        stop.position = at
        stop.color = (*(min(1.0, value * random.uniform(0.8, 1.25)) for value in colour), 1.0)
    pattern = _pattern(name, nodes, links, place, grain_mm or random.uniform(4, 40))
    fine = _noise(nodes, links, place, random.uniform(0.8, 3))
    both = nodes.new("ShaderNodeMath")
    both.operation = "MULTIPLY_ADD"
    links.new(fine, both.inputs[0])
    both.inputs[1].default_value = random.uniform(0.1, 0.5)
    links.new(pattern, both.inputs[2])
    links.new(both.outputs[0], ramp.inputs["Fac"])
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = random.uniform(0.5, 1.0)
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Distance"].default_value = random.uniform(0.1, 0.8)
    links.new(both.outputs[0], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material


def printed_paper(path: str) -> Any:
    """Paper with a picture on it."""
    material = plain((1, 1, 1, 1), rough=0.9)
    picture = material.node_tree.nodes.new("ShaderNodeTexImage")
    picture.image = bpy.data.images.load(path)
    picture.interpolation = "Closest"
    material.node_tree.links.new(
        picture.outputs["Color"], material.node_tree.nodes["Principled BSDF"].inputs["Base Color"]
    )
    return material


def _pattern(name: str, nodes: Any, links: Any, place: Any, grain_mm: float) -> Any:
    if name == "cobbles":
        stones = nodes.new("ShaderNodeTexVoronoi")
        stones.feature = "DISTANCE_TO_EDGE"
        stones.inputs["Scale"].default_value = 1 / max(grain_mm, 10)
        links.new(place, stones.inputs["Vector"])
        return stones.outputs["Distance"]
    if name == "planks":
        wave = nodes.new("ShaderNodeTexWave")
        wave.inputs["Scale"].default_value = 0.3 / grain_mm
        wave.inputs["Distortion"].default_value = 6.0
        links.new(place, wave.inputs["Vector"])
        return wave.outputs["Fac"]
    return _noise(nodes, links, place, grain_mm)


def _noise(nodes: Any, links: Any, place: Any, grain_mm: float) -> Any:
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 1 / grain_mm
    noise.inputs["Detail"].default_value = 4.0
    links.new(place, noise.inputs["Vector"])
    return noise.outputs["Fac"]
