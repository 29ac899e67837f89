"""From where somebody calls, as far as one can know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

from service.settings import Network

NOWHERE = "local"


def address(peer: str | None, forwarded: Iterable[str], trusted: Sequence[Network]) -> str:
    """The caller's address; of IPv6 the /64, which is one customer.

    ``forwarded``: the values of ``X-Forwarded-For``, believed from the right for as long as trusted proxies speak.
    """
    known = _parsed(peer)
    if known is None:
        return NOWHERE if peer is None else peer
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    while hops and any(known in network for network in trusted):
        before = _parsed(hops.pop())
        if before is None:
            break
        known = before
    if isinstance(known, IPv6Address):
        return f"{IPv6Address(int(known) >> 64 << 64)}/64"
    return str(known)


def _parsed(text: str | None) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address((text or "").strip("[]"))
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
