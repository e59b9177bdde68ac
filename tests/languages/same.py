"""Texts that are the same in a language as in English, and are meant so.

Names, and words that the trade shares. The historic calls (rules/calls.py) need no entry.
"""

_EVERYWHERE = {
    "broker",
    "croupier",
    "CROUPIER",
    "nichts geht mehr",
    "POT",
    "Pot",
    "pot",
    "SCHLITTEN {n}",
    "Schlitten {n}",
    "En carte {both} : {both}",
    "Pointeur {won} : {lost}",
}
_BANK = {
    "BANK",
    "bank",
    "Bank {won} : {lost}",
    "Bank {banker}, pointeur {pointeur}.",
    "Pointeur {pointeur}, bank {banker}.",
}

SAME: dict[str, set[str]] = {
    "de": _EVERYWHERE | _BANK | {"Coup {n}"},
    "fr": _EVERYWHERE | {"Coup {n}", "coup {n}", "{n} points", "1 point", "six"},
    "sv": _EVERYWHERE | _BANK,
    "hu": _EVERYWHERE | _BANK,
}
