"""Writes the English glossary as a page, docs/GLOSSARY.md, from the table's own glossary."""

from __future__ import annotations

from table_controller.words.glossary import terms
from table_controller.words.languages import Language


def markdown() -> str:
    """Return the English glossary as a page, docs/GLOSSARY.md."""
    parts = [_HEAD]
    for game, heading in {term.game: term.heading for term in terms()}.items():
        parts += [f"## {heading}"]
        rows = [f"| {t.term} | {t.means[Language.EN]} |" for t in terms() if t.game == game]
        parts += ["\n".join(["| term | means |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# The words of the trade

The table's page shows them in its own language: `?` at its top. This page is made by
`scripts/generate` from `table_controller/words/glossary.toml` and each game's own: change them
there."""
