"""Words of other games, written out: what no text of a game's table may contain, by language."""

#: Patterns, whatever the letters' case.
_CUT_CARDS = {
    "en": r"\bshoes?\b|cut card",
    "de": r"Kartenschlitten|Schneidekarte|Abhebekarte",
    "fr": r"\bsabots?\b|cartes? d’arrêt|cartes? de coupe",
    "sv": r"\bkortsko|\bskon?\b|kuperingskort|snittkort",
    "hu": r"cipő|vágókárty|vágólap",
}
_WHITE_CARDS = {
    "en": r"Schlitten|white card",
    "de": r"weiße|Kartenschlitten|Abhebekarte",
    "fr": r"Schlitten|blanche|cartes? de coupe",
    "sv": r"Schlitten|\bvitt\b|\bvita\b|snittkort",
    "hu": r"Schlitten|fehér|vágólap",
}
NEVER = {"chemin-de-fer": _CUT_CARDS, "ecarte": _CUT_CARDS, "punto-banco": _WHITE_CARDS}
