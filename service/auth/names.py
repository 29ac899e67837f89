"""What players may be called."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

# A pattern's `$` also matches before a newline at the end; what ends these patterns does not.
END: Final = r"(?![\s\S])"
# Controls, what turns the direction of writing, what is not to be seen, and what is no character at all.
_UNSEEN: Final = (
    "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ue000-\\uf8ff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
_BLANK: Final = "\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000"

Name: TypeAlias = Annotated[
    str,
    Meta(
        pattern=f"^[^{_UNSEEN}{_BLANK}](?:[^{_UNSEEN}]*[^{_UNSEEN}{_BLANK}])?{END}",
        min_length=1,
        max_length=40,
        description="What others call you: 1 to 40 characters that can be seen, no blank at either end.",
        examples=["Anna"],
        extra={
            "en": "1 to 40 characters that can be seen, no blank at either end",
            "de": "1 bis 40 sichtbare Zeichen, kein Leerzeichen am Anfang oder Ende",
        },
    ),
]
