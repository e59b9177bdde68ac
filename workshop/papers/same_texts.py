"""Texts that are meant to be the same in a language as in English.

They are names, and words that the trade shares. The historic calls (`calls.py`) need no entry.
"""

_EVERYWHERE = {"Der letzte Coup. {news}"}
_SCORE = {"BANK", "Bank {won} : {lost}", "En carte {both} : {both}", "Pointeur {won} : {lost}"}
_SMALL = {
    "bank",
    "Bank {banker}, pointeur {pointeur}.",
    "broker",
    "croupier",
    "nichts geht mehr",
    "Pointeur {pointeur}, bank {banker}.",
}
_POT = {"Pot"}
_COUP = {"coup"}
_STAKED = {"Bank"}
_ECARTE = {"Faites le jeu: {chips} {unit}", "Le coup est tenu?"}
_ECARTE_FR = {"proposition", "talon", "écart"}

SAME: dict[str, set[str]] = {
    "de": _EVERYWHERE | {"PIN"} | _SCORE | _POT | _STAKED | {"Coup {n}", "Schlitten {n}"} | _ECARTE,
    "fr": _EVERYWHERE
    | _COUP
    | _POT
    | {"1 point", "broker", "Coup {n}", "coup {n}", "croupier", "nichts geht mehr", "pot"}
    | {"Schlitten {n}", "coups", "page", "parts", "six", "{n} points"}
    | {"chance", "date", "partie", "table"}
    | _ECARTE_FR,
    "sv": _EVERYWHERE
    | {"Coup {n}", "coup {n}"}
    | _COUP
    | _SCORE
    | _SMALL
    | _STAKED
    | {"Schlitten {n}", "differential", "proposition"}
    | _ECARTE,
    "hu": _EVERYWHERE | _COUP | _SCORE | _SMALL | _POT | _STAKED | {"pot", "talon"} | _ECARTE,
}
