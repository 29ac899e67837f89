"""The API v1: decodes, authorises, asks the Referee, encodes. Knows no game."""
