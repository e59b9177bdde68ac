"""What needs a person, who is told when, and the settings that say so. Pure."""

from __future__ import annotations

import pytest

from table_controller.adapters.mqtt_messages import TableState
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor import alert_settings
from table_controller.engine.messages import Phrase, Severity
from table_controller.floor.alerts import (
    AlertSettings,
    Lately,
    OwnSettings,
    PersonSettings,
    RuleSettings,
    concerns,
    due,
)
from table_controller.floor.deliver import letter
from table_controller.floor.faults import FaultCode, Odd
from table_controller.floor.live import LiveTables
from table_controller.floor.recent_figures import lately
from table_controller.floor.store import Ledger, Store, TableFault
from table_controller.service.errors import ConfigError
from tests.floor.test_view import NOON, alert, table

ONE = TableId("casino", "one")
RULES = AlertSettings(
    people={"anna": PersonSettings(mail="a@b"), "boss": PersonSettings(mail="b@b")},
    rules={
        "stops": RuleSettings(severities=(Severity.STOP,), people=("anna",)),
        "lids": RuleSettings(sites=("casino",), codes=("lid_*",), people=("anna", "boss")),
        "late": RuleSettings(after_s=300, people=("boss",)),
    },
)


@pytest.mark.parametrize(
    ("code", "severity", "age_s", "told", "now"),
    [
        ("beam", "stop", 0, (), [("anna", "stops")]),
        ("lid_opened", "warning", 0, (), [("anna", "lids"), ("boss", "lids")]),
        ("lid_opened", "warning", 0, (("anna", "lids"),), [("boss", "lids")]),
        ("beam", "warning", 299.9, (), []),
        ("beam", "warning", 300, (), [("boss", "late")]),
        ("beam", "warning", 900, (("boss", "late"),), []),
    ],
    ids=["severity", "site and code", "once", "not yet", "nobody came", "told"],
)
def test_who_is_told_when(code, severity, age_s, told, now):
    assert due(RULES, ONE, code, severity, age_s=age_s, told=frozenset(told)) == now


def codes(shown, lately=None, *, missing=0, now=NOON, own=None):
    found = concerns(shown, lately or Lately(), missing, now, own or OwnSettings())
    return [(one.code, one.severity.value) for one in found]


def test_the_floor_finds_what_no_table_can_say():
    live = LiveTables()
    here = live.tables[table(live, "one")]

    assert codes(here) == []
    assert codes(here, now=NOON + 36) == [("table_silent", "warning")]
    assert codes(here, missing=7) == [("rows_missing", "notice")]
    assert codes(here, Lately(streams=2)) == [("new_journal", "warning")]
    assert codes(here, Lately(faults={4: "Row 3 was told otherwise before."})) == [
        ("does_not_hold", "stop")
    ]


def test_a_fault_by_its_name_is_an_alert_until_it_ends():
    """A restored journal is told once, as `new_journal`."""
    live = LiveTables()
    here = table(live, "one")
    shown = live.tables[here]
    for code in (FaultCode.CLOCK, FaultCode.RENAMED, FaultCode.RESTORED):
        live.note(here, Odd(code, Phrase(f"It is {code}.")), NOON)

    assert codes(shown) == [("clock", "warning"), ("renamed", "notice")]

    live.note(here, Odd(FaultCode.CLOCK), NOON)

    assert codes(shown) == [("renamed", "notice")]


def test_only_grave_faults_of_the_database_do_not_hold(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/floor.db")
    ledger = Ledger(store, lambda: 1)
    ledger.take([(ONE, TableFault("It is late.", FaultCode.CLOCK))])
    ledger.take([(ONE, TableFault("A row differs.", FaultCode.CHAIN))])

    found = lately(store, 1)[ONE]

    assert list(found.faults.values()) == ["A row differs."]


@pytest.mark.parametrize(
    ("lately", "found"),
    [
        (Lately(coups=19, opened=True), [("slow_pace", "notice")]),
        (Lately(coups=20, opened=True), []),
        (Lately(coups=3, opened=False), []),
        (Lately(coups=60, opened=True, cards=400, misreads=3), [("many_misreads", "notice")]),
        (Lately(coups=60, opened=True, cards=400, misreads=2), []),
        (Lately(coups=60, opened=True, cards=399, misreads=99), []),
    ],
    ids=["slow", "quick enough", "just opened", "misreads", "as allowed", "too few cards"],
)
def test_pace_and_misreads_have_limits(lately, found):
    """50 of 10,000 is 2 of 400."""
    live = LiveTables()
    here = live.tables[table(live, "one")]

    assert codes(here, lately, own=OwnSettings(coups_an_hour=20)) == found


def test_a_table_that_is_off_or_lost_is_not_called_slow():
    live = LiveTables()
    off = live.tables[table(live, "off", TableState.DISCONNECTED)]
    lost = live.tables[table(live, "lost", TableState.LOST)]
    slow = Lately(coups=0, opened=True)

    assert codes(off, slow, own=OwnSettings(coups_an_hour=20)) == []
    assert codes(lost, slow, own=OwnSettings(coups_an_hour=20)) == [("table_lost", "warning")]


def test_a_tables_own_alert_is_taken_over_with_what_to_do():
    live = LiveTables()
    here = table(live, "one")
    alert(live, here, Severity.WARNING)

    (found,) = concerns(live.tables[here], Lately(), 0, NOON, OwnSettings())

    assert (found.alert, found.code, found.own) == ("lid", "lid", False)
    assert str(found.what) == "The lid is open."


def test_a_thousand_alerts_are_one_message():
    subject, body = letter([f"casino/t{n}, warning: lost" for n in range(1000)], "http://x/alerts")

    assert subject == "casino/t0, warning: lost (and 999 more)"
    assert len(body.splitlines()) == 20 + 1 + 2
    assert "… and 980 more" in body


def test_no_table_puts_a_link_or_a_call_into_a_message():
    """Slack, Mattermost and others read the text as markup. The page's own address stays."""
    lie = "<!channel> PINs: <https://evil.example|sign in> [here](https://evil.example) @all *now*"
    subject, body = letter([lie], "http://floor.example/alerts")

    said = body.splitlines()[0]
    assert subject == said
    assert not set("<>[]@*`") & set(said)
    assert "://" not in said
    assert body.endswith("http://floor.example/alerts")


GOOD = """
[mail]
host = "mail.example"
sender = "floor@example"

[people.anna]
mail = "anna@example"

[people.pit]
webhook = "https://chat.example/x"

[rules.stops]
severities = ["stop"]
people = ["pit"]

[rules.late]
after_s = 300
people = ["anna"]
"""


def test_the_settings_are_read(tmp_path):
    file = tmp_path / "alerts.toml"
    file.write_text(GOOD)
    found = alert_settings.settings_in(tmp_path)

    assert found.rules["late"] == RuleSettings(people=("anna",), after_s=300)
    assert found.rules["stops"].severities == (Severity.STOP,)
    assert (found.mail.port, found.mail.tls) == (587, "starttls")
    assert found.own == OwnSettings(coups_an_hour=0, misreads_of_10_000=50)
    assert alert_settings.settings_in(tmp_path / "none") == AlertSettings()


WRONG = {
    "person": (
        'people = ["pit"]',
        'people = ["bob"]',
        "line 14: rules.stops.people: there is no person 'bob'; there are: anna, pit",
    ),
    "severity": (
        'severities = ["stop"]',
        'severities = ["loud"]',
        "line 13: rules.stops.severities = ['loud']: want one of: notice, warning, stop",
    ),
    "number": (
        "after_s = 300",
        'after_s = "soon"',
        "line 17: rules.late.after_s = 'soon': want a whole number",
    ),
    "setting": (
        "after_s = 300",
        "after = 3",
        "line 17: rules.late.after = 3: there is no setting 'after'; there are: people, sites, ",
    ),
    "no way": (
        'mail = "anna@example"',
        "",
        "line 6: people.anna: want a `mail` or a `webhook`",
    ),
    "address": ('mail = "anna@example"', 'mail = "anna"', "people.anna.mail: 'anna' is no address"),
    "scheme": ("https://", "gopher://", "line 10: people.pit.webhook: want an address that begins"),
    "section": ("[mail]", "[post]", "line 2: post: there is no section 'post'; there are: mail"),
    "host": ('host = "mail.example"', "", "line 2: mail = {'sender': 'floor@example'}: host is"),
    "torn": ("[rules.stops]", "[rules", "is not TOML"),
    "in the clear": (
        "[mail]",
        '[mail]\ntls = "none"\nusername = "floor"',
        "line 3: mail.tls: without TLS the network could read the password: want 'starttls'",
    ),
}


@pytest.mark.parametrize(("old", "new", "error"), WRONG.values(), ids=WRONG)
def test_settings_that_do_not_fit_are_named_with_line_and_remedy(tmp_path, old, new, error):
    file = tmp_path / "alerts.toml"
    file.write_text(GOOD.replace(old, new))

    with pytest.raises(ConfigError) as wrong:
        alert_settings.settings_in(tmp_path)

    assert error in str(wrong.value)


def test_a_password_of_the_mail_server_that_others_may_read_is_refused(tmp_path):
    password = tmp_path / "mail.secret"
    password.write_text("hush\n")
    password.chmod(0o644)
    file = tmp_path / "alerts.toml"
    file.write_text(GOOD.replace("[mail]", f'[mail]\npassword = "{password}"'))

    with pytest.raises(ConfigError, match="has mode 0644: others may read it"):
        alert_settings.settings_in(tmp_path)
    password.chmod(0o600)
    assert alert_settings.settings_in(tmp_path).mail.password == password
