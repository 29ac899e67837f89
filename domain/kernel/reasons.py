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
    NO_SUCH_CLAIM = "no_such_claim"
    CLAIM_CLOSED = "claim_closed"
    ALREADY_CHALLENGED = "already_challenged"
    OWN_CLAIM = "own_claim"
    OUT_OF_ROUND = "out_of_round"
    LEFT = "left"
