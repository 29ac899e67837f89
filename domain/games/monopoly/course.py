"""What comes of one command, event by event: each rule sees the table as the one before left it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from domain.games.monopoly.events import CameTo as _CameTo
from domain.games.monopoly.events import Event
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.phases import Phase
from domain.games.monopoly.state import State


class Course:
    """``at``: when the command came; ``events``: what has come of it so far."""

    def __init__(self, state: State, at: datetime) -> None:
        self.state = state
        self.at: Final = at
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.state = evolve(self.state, event)
        self.events.append(event)

    def come_to(self, phase: Phase) -> None:
        self.tell(_CameTo(phase))
