"""Who calls, and what he may: guest accounts, bearer tokens, scopes."""

from service.auth.erasing import erase
from service.auth.issuing import issue

__all__ = ["erase", "issue"]
