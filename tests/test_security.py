"""SECURITY.md names tests that exist, and the unit is as tight as it says."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TEXT)))
UNIT = ROOT / "systemd" / "schlitten.service"


@pytest.mark.parametrize(("file", "test"), NAMED, ids=lambda part: part or "all")
def test_each_attack_is_tried_by_a_test_that_there_is(file, test):
    tree = ast.parse((ROOT / file).read_text())
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

    assert any(name.startswith("test_") for name in names)
    assert not test or test in names


def settings():
    """The unit's settings, the last of a name; lists are joined."""
    told = {}
    for line in UNIT.read_text().splitlines():
        name, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            told[name] = f"{told[name]} {value}" if name in told else value
    return told


def test_the_unit_says_what_the_documents_say():
    """What systemd's scale does not weigh, too."""
    unit = settings()

    assert unit["Type"] == "notify"
    assert 0 < int(unit["WatchdogSec"]) <= 10
    assert unit["StartLimitIntervalSec"] == "0"
    assert UNIT.read_text().index("StartLimitIntervalSec") < UNIT.read_text().index("[Service]")
    assert (unit["LimitNOFILE"], unit["LimitCORE"], unit["MemoryMax"]) == ("1024", "0", "512M")
    assert unit["SystemCallErrorNumber"] == "EPERM"
    assert unit["LoadCredential"] == "schlitten.key:/etc/schlitten/table.key"
    assert unit["CapabilityBoundingSet"] == ""
    assert unit["DevicePolicy"] == "closed"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_says_at_most_1_7_of_the_unit():
    said = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", "--offline=true", UNIT],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", said.stdout)[1])
    assert exposure <= 1.7
