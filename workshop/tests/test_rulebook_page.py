"""docs/RULEBOOK.md: every rule, and the code that decides it."""

import re

from table_controller.rules.rulebook import rules
from workshop.papers.rulebook import markdown


def test_a_rule_names_the_code_that_decides_it():
    line = "Handlers: `engine/punto_banco/play.py::free_coup`. Offers: "

    assert line in markdown()


def test_the_page_has_every_rule_once():
    """Under its series, with its treatment counted at the head."""
    page = markdown()

    headings = re.findall(r"^### (\S+)$", page, re.MULTILINE)
    assert headings == [each.id for each in rules()]
    counted = sum(int(n) for n in re.findall(r"^\| \w+ \| .* \| (\d+) \|$", page, re.MULTILINE))
    assert counted == len(rules())
    assert all(each.how in page and each.text in page for each in rules())
