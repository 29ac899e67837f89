"""Reasons of refusal that several games share. A game's own stand beside its decider."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    NOT_NOW = "not_now"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_YOUR_CARDS = "not_your_cards"
    TOO_EARLY = "too_early"
    TOO_LATE = "too_late"
    ALREADY_ACCEPTED = "already_accepted"
