"""What a request passes on its way in: size and header limits, who calls and what he may, decoding; and what failed."""
