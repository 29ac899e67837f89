"""What the terminal says, in both languages. Sentences about a match come from the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from service.terminal.client import Language
from service.terminal.labels import ENGLISH, GERMAN


class Words(Struct, frozen=True, kw_only=True):
    """``{…}`` is filled in. ``labels``: nicer words for names in the API; what is not there is shown as it is."""

    language: Language
    you: str
    bot: str
    seat: str
    free: str
    left: str
    hand: str
    yes: str
    no: str
    more: str
    plus_shows_all: str
    waiting_for: str
    seconds: str
    stands_still: str
    from_in: str
    optional: str
    pick_one: str
    pick_some: str
    pick_number: str
    pick_hidden: str
    enter_leaves_out: str
    enter_waits: str
    back: str
    ask_what: str
    unclear: str
    unclear_number: str
    changed: str
    waits: str
    nothing_to_do: str
    help: str
    lost: str
    back_again: str
    no_server: str
    no_game: str
    no_bot: str
    nobody_asks: str
    starting: str
    playing_at: str
    code: str
    lobby: str
    start: str
    you_won: str
    winners: str
    scores: str
    void: str
    branched: str
    abandoned: str
    seed: str
    come_back: str
    gave_up: str
    bye: dict[str, str]
    watching: str
    end_of_input: str
    replay_keys: str
    replay_version: str
    replay_frame: str
    replay_eyes: str
    replay_all: str
    replay_spectator: str
    replay_untold: str
    replay_refused: str
    replay_uncounted: str
    replay_no_eyes: str
    replay_cut_off: str
    replay_no_file: str
    labels: Mapping[str, str]

    def label(self, name: str) -> str:
        return self.labels.get(name, name.replace("_", " "))

    def value(self, text: str) -> str:
        """What a field says: a name in the API has words, a name in a game's data stays as it is."""
        return self.label(text) if text in GERMAN else text


EN: Final = Words(
    language="en",
    you="you",
    bot="Bot",
    seat="seat",
    free="free",
    left="left",
    hand="Your hand",
    yes="yes",
    no="no",
    more="… and {count} before",
    plus_shows_all="+ shows all",
    waiting_for="Waiting for {who}",
    seconds="{count} s",
    stands_still="time stands still",
    from_in="in {count} s",
    optional="may be left out",
    pick_one="{field}: which one? (its number)",
    pick_some="{field}: which? ({fewest}–{most} numbers, with blanks between them)",
    pick_number="{field}: how much? ({fewest}–{most}, in steps of {step})",
    pick_hidden="{field}: what did you commit to?",
    enter_leaves_out="Enter leaves it out",
    enter_waits="Enter lets time pass",
    back="x goes back",
    ask_what="What do you do? (a number; ? helps)",
    unclear="“{text}” is none of these.",
    unclear_number="That does not fit.",
    changed="The table has changed; choose anew.",
    waits="It will be sent as soon as it may be.",
    nothing_to_do="There is nothing for you to do now.",
    help=(
        "Type the number of what you want to do, then the numbers of what it needs, in one line if you like: 1 3 5.\n"
        "+ shows long lists whole, x goes back, leave gives up your seat (a bot plays on), q goes and keeps it. "
        "Ctrl-C is q."
    ),
    lost="The connection is gone; trying again …",
    back_again="Connected again.",
    no_server="No Mogelwerk server answers at {url}: {why}",
    no_game="This server has no game “{game}”. It has: {games}.",
    no_bot="{game} has no bot “{bot}”. It has: {bots}.",
    nobody_asks=(
        "Who asks? {url} gives this only to a token: put one into MOGELWERK_TOKEN, or name with --as one of the "
        "accounts that you have there, which are kept in {path}."
    ),
    starting="Starting a server",
    playing_at="{game} at {url}, match {match}",
    code="Others sit down with the code {code}",
    lobby="{taken} of {seats} seats are taken.",
    start="start, with bots where nobody sits",
    you_won="You have won!",
    winners="It goes to {who}.",
    scores="Score",
    void="The match is void.",
    branched="The match goes on from an earlier point, as match {match}.",
    abandoned="The match was abandoned.",
    seed="The seed of its luck: {seed}",
    come_back="Your seat is kept. Come back with: {command}",
    gave_up="You have given up your seat.",
    bye={
        "revoked": "Your token was revoked.",
        "seat_changed": "Your seat has changed hands.",
        "gone": "This match is not to be seen any more.",
    },
    watching="Match {match}, {game}: {who}",
    end_of_input="No more input.",
    replay_keys="← → step · d D doubts · ↑ ↓ 1–9 0 whose eyes · Home End · q",
    replay_version="version",
    replay_frame="frame",
    replay_eyes="eyes",
    replay_all="everybody's, nothing hidden",
    replay_spectator="who looks on",
    replay_untold="Nothing was told of it here.",
    replay_refused="✗ {who} {clock}: {action}, refused: “{why}” ({reason})",
    replay_uncounted="✗ {who}: {count} more that nobody kept",
    replay_no_eyes="It can be seen through these eyes: {eyes}",
    replay_cut_off=(
        "! The transcript is cut off here: its end is missing. Replaying checks nothing, `mogelwerk verify` does."
    ),
    replay_no_file="{what}: no such file",
    labels=ENGLISH,
)

DE: Final = Words(
    language="de",
    you="du",
    bot="Bot",
    seat="Platz",
    free="frei",
    left="gegangen",
    hand="Deine Hand",
    yes="ja",
    no="nein",
    more="… und {count} davor",
    plus_shows_all="+ zeigt alle",
    waiting_for="Gewartet wird auf {who}",
    seconds="{count} s",
    stands_still="die Zeit steht",
    from_in="in {count} s",
    optional="kann fehlen",
    pick_one="{field}: welches? (seine Nummer)",
    pick_some="{field}: welche? ({fewest}–{most} Nummern, mit Leerzeichen dazwischen)",
    pick_number="{field}: wie viel? ({fewest}–{most}, in Schritten von {step})",
    pick_hidden="{field}: worauf hast du dich festgelegt?",
    enter_leaves_out="Enter lässt es weg",
    enter_waits="Enter lässt Zeit vergehen",
    back="x geht zurück",
    ask_what="Was tust du? (eine Nummer; ? hilft)",
    unclear="„{text}“ ist nichts davon.",
    unclear_number="Das passt nicht.",
    changed="Am Tisch hat sich etwas getan; wähle neu.",
    waits="Wird gesendet, sobald es geht.",
    nothing_to_do="Gerade gibt es für dich nichts zu tun.",
    help=(
        "Tippe die Nummer dessen, was du tun willst, dann die von dem, was es braucht, gern in einer Zeile: 1 3 5.\n"
        "+ zeigt lange Listen ganz, x geht zurück, leave gibt deinen Platz auf (ein Bot spielt weiter), q geht und "
        "behält ihn. Strg-C ist q."
    ),
    lost="Die Verbindung ist weg; neuer Versuch …",
    back_again="Wieder verbunden.",
    no_server="Unter {url} antwortet kein Mogelwerk-Server: {why}",
    no_game="Ein Spiel „{game}“ hat dieser Server nicht. Er hat: {games}.",
    no_bot="Einen Bot „{bot}“ hat {game} nicht. Es hat: {bots}.",
    nobody_asks=(
        "Wer fragt? {url} gibt das nur einem Token: Setze eines in MOGELWERK_TOKEN, oder nenne mit --as eines der "
        "Konten, die du dort hast; sie liegen in {path}."
    ),
    starting="Ein Server wird gestartet",
    playing_at="{game} auf {url}, Partie {match}",
    code="Andere setzen sich dazu mit dem Code {code}",
    lobby="{taken} von {seats} Plätzen sind besetzt.",
    start="beginnen, mit Bots, wo niemand sitzt",
    you_won="Du hast gewonnen!",
    winners="Es geht an {who}.",
    scores="Stand",
    void="Die Partie ist hinfällig.",
    branched="Die Partie geht von einem früheren Punkt an weiter, als Partie {match}.",
    abandoned="Die Partie wurde abgebrochen.",
    seed="Startwert ihres Zufalls: {seed}",
    come_back="Dein Platz bleibt dir. Zurück kommst du mit: {command}",
    gave_up="Du hast deinen Platz aufgegeben.",
    bye={
        "revoked": "Dein Token wurde widerrufen.",
        "seat_changed": "Dein Platz hat den Besitzer gewechselt.",
        "gone": "Diese Partie ist nicht mehr zu sehen.",
    },
    watching="Partie {match}, {game}: {who}",
    end_of_input="Keine Eingabe mehr.",
    replay_keys="← → Schritt · d D Zweifel · ↑ ↓ 1–9 0 wessen Augen · Pos1 Ende · q",
    replay_version="Version",
    replay_frame="Nachricht",
    replay_eyes="Augen",
    replay_all="aller, nichts verdeckt",
    replay_spectator="wer zusieht",
    replay_untold="Davon wurde hier nichts gesagt.",
    replay_refused="✗ {who} {clock}: {action}, abgelehnt: „{why}“ ({reason})",
    replay_uncounted="✗ {who}: {count} weitere, die niemand behalten hat",
    replay_no_eyes="Zu sehen ist sie durch diese Augen: {eyes}",
    replay_cut_off=(
        "! Das Protokoll ist hier abgeschnitten, sein Ende fehlt. Das Abspielen prüft nichts, `mogelwerk verify` schon."
    ),
    replay_no_file="{what}: Eine solche Datei gibt es nicht",
    labels=GERMAN,
)


def words(language: Language) -> Words:
    return DE if language == "de" else EN
