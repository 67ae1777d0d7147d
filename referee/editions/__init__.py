"""The rulebooks, by id. The core never asks which one it is in."""

from models.words import EditionId
from referee.edition import Edition
from referee.editions import hordes_mk2, warhammer_9, warmachine_mk1, warmachine_prime

EDITIONS: dict[EditionId, Edition] = {
    one.EDITION.id: one.EDITION for one in (warmachine_prime, hordes_mk2, warmachine_mk1, warhammer_9)
}
