"""The games there are: the one list to which a new game adds a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from projections.views.cheat import CHEAT_VIEW
from projections.views.family_mogeln import FAMILY_MOGELN_VIEW
from projections.views.liars_dice import LIARS_DICE_VIEW
from projections.views.mogelei import MOGELEI_VIEW
from projections.views.mogler import MOGLER_VIEW
from projections.views.monopoly import MONOPOLY_VIEW
from projections.views.seam import AnyView

CATALOGUE: Final[Mapping[str, AnyView]] = {
    view.game.id: view
    for view in (
        CHEAT_VIEW,
        LIARS_DICE_VIEW,
        MOGELEI_VIEW,
        MOGLER_VIEW,
        FAMILY_MOGELN_VIEW,
        MONOPOLY_VIEW,
    )
}  # fmt: skip
