"""The calls of chemin de fer. They stay in their own language, whatever the page's language is.

A call in an English text stays unchanged in every translation of the text.
"""

from __future__ import annotations

from table_controller.rules.calls import Call

#: Calls, and single words that are never translated, in the order in which an evening needs them.
CALLS = (
    Call("Schlitten", "de", "ZP-4"),
    Call("macht Salat", "de", "ZP-4"),
    Call("Carte passe", "fr", "ZP-4"),
    Call("der letzte Coup", "de", "ZP-4"),
    Call("banco", "fr", "ZP-5"),
    Call("pointeur", "fr", "ZP-6"),
    Call("Schlag", "de", "ZP-7"),
    Call("carte", "fr", "ZP-8"),
    Call("reste", "fr", "ZP-10"),
    Call("prime", "fr", "ZP-13"),
    Call("suivi", "fr", "ZP-13"),
    Call("Banco solo", "fr", "ZP-15"),
    Call("Nichts geht mehr, ab dafür", "de", "ZP-16"),
    Call("Suite", "fr", "ZP-18"),
    Call("cagnotte", "fr", "ZP-20"),
    Call("Bitte das Spiel zu machen zur offenen Bank", "de", "Z-5"),
    Call("retablir", "fr", "N-4"),
    Call("Was macht der Schlitten?", "de", "Z-19"),
    Call("Für eine nicht gezogene Karte keine Auskunft", "de", "Z-20"),
    Call("faux tirage", "fr", "Z-21"),
    Call("rien ne va plus", "fr", "N-3"),
    Call("en carte", "fr", "N-5"),
)
