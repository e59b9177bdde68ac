"""The calls of écarté. They stay in their own language, whatever the page's language is.

A call in an English text stays unchanged in every translation of the text.
"""

from __future__ import annotations

from table_controller.rules.calls import Call

#: In the order of an evening, then of a deal.
CALLS = (
    Call("à deux côtés", "fr", "E07-3"),
    Call("chouette", "fr", "E07-4"),
    Call("je voudrais voir le coup", "fr", "E07-7"),
    Call("le coup est tenu", "fr", "E07-7"),
    Call("faites le jeu", "fr", "E07-8"),
    Call("les jeux sont faits", "fr", "E07-8"),
    Call("proponálok", "hu", "E07-35"),
    Call("mennyit", "hu", "E07-35"),
    Call("Ich spiele", "de", "EDE-9a"),
    Call("Wieviel?", "de", "EDE-10a"),
    Call("Bitte zu spielen", "de", "EDE-10b"),
    Call("d'autorité", "fr", "E07-41"),
    Call("je marque le roi", "fr", "E07-27"),
    Call("le roi", "fr", "E07-27"),
    Call("Karbatsch", "hu", "E07-49"),
    Call("vis major", "la", "E07-55"),
    Call("jeux de règle", "fr", "EDE-19"),
)
