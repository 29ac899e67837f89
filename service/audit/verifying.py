"""`mogelwerk verify`: no server, no network, no database."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from projections.audit.fault import CannotVerify, Fault
from projections.audit.kept import Kept, NothingKept, kept
from projections.audit.verify import Summary, Verifier
from service.audit.files import lines, shown

WRONG = 1  # exit codes
UNKNOWN = 2


def verify(path: Path, frames: Path | None, *, chain_only: bool, out: Console, err: Console) -> int:
    """Says what was found; the exit code."""
    try:
        with shown(path, err) as of_file:
            verifier = Verifier(chain_only=chain_only, kept=None if frames is None else _kept(frames))
            for line in of_file:
                verifier.feed(line)
            found = verifier.finish()
    except Fault as fault:
        out.print(f"✗ version {fault.version} · {fault.part}: {fault.what}", style="red", markup=False)
        return WRONG
    except OSError as why:
        err.print(f"{why.filename or path}: {why.strerror}", style="red", markup=False)
        return UNKNOWN
    except (CannotVerify, NothingKept) as why:
        err.print(f"{path.name}: {why}", style="red", markup=False)
        return UNKNOWN
    for line_ in _said(found):
        out.print(line_, markup=False)
    return 0


def _kept(path: Path) -> Kept:
    with path.open("rb") as file:
        return kept(lines(file))


def _said(found: Summary) -> list[str]:
    if found.viewer is not None:
        return [
            f"✓ {found.game}, what {found.viewer} was told: {found.events:,} frames, none missing, none changed "
            f"({found.status})"
        ]
    said = [
        f"✓ {found.game}, rules version {found.rules_version}: {found.events:,} events, {found.attempts:,} attempts "
        f"({found.status}); none missing, none changed"
    ]
    if found.told:
        said.append("✓ every viewer's frames made again, to the heads that were told")
    if found.played:
        said.append("✓ played again by the rules: every act was allowed and in time, every draw is what the seed gives")
    elif found.told:
        said.append("· not played again: this build's rules are newer")
    if found.kept:
        said.append(f"✓ {found.kept:,} frames that you kept lie in it")
    return said
