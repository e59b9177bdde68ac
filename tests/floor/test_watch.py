"""What the floor keeps of alerts, whom it tells, and when again; by a clock of the test's."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from table_controller.adapters.mqtt_messages import TableState, state_message
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Severity
from table_controller.floor.alerts import (
    AlertSettings,
    MailSettings,
    OwnSettings,
    PersonSettings,
    RuleSettings,
)
from table_controller.floor.faults import FaultCode
from table_controller.floor.live import LiveTables
from table_controller.floor.schema import deliveries, houses, notices
from table_controller.floor.store import Ledger, Store, TableFault
from table_controller.floor.watch import Lookout
from table_controller.floor.web.alert_pages import alert_lines
from table_controller.floor.web.view import glance
from tests.floor import sinks
from tests.floor.telling import Telling
from tests.floor.test_view import NOON, alert, table
from tests.limits import PATIENCE_S

BEGAN_MS = 1_800_000_000_000


class Clock:
    """Seconds since NOON, for both clocks of the floor."""

    def __init__(self):
        self.s = 0.0

    def ms(self):
        return BEGAN_MS + int(self.s * 1000)

    def now(self):
        return NOON + self.s


@pytest.fixture
def hall():
    """A floor without a broker: its database, its tables, its clock; `watch` makes a lookout."""
    return Hall()


class Hall:
    """A floor without a broker."""

    def __init__(self, url="sqlite://"):
        self.store, self.live, self.clock = Store(url), LiveTables(), Clock()
        self.missing = {}
        self.ledger = Ledger(self.store, self.clock.ms)

    def table(self, name="one", **more):
        here = table(self.live, name, **more)
        self.ledger.take([(here, Telling().tell())])
        return here

    def watch(self, **settings):
        return Lookout(
            self.store, self.live, lambda: self.missing, AlertSettings(**settings),
            clock_ms=self.clock.ms, now=self.clock.now, page="http://floor/alerts",
        )  # fmt: skip

    def later(self, seconds):
        self.clock.s += seconds
        for one in self.live.tables.values():
            one.heard_at = self.clock.now()

    def rows(self, of=notices):
        with self.store.read() as db:
            return [dict(row) for row in db.execute(sa.select(of)).mappings()]


def told(letters):
    return {letter.person: letter.subject for letter in letters}


TWO_STEPS = {
    "people": {
        "pit": PersonSettings(webhook="http://x"),
        "boss": PersonSettings(webhook="http://y"),
    },
    "rules": {
        "first": RuleSettings(people=("pit",)),
        "nobody-came": RuleSettings(people=("boss",), after_s=300),
    },
}


def sent(watch, letters):
    """Note them as sent, without a server."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("table_controller.floor.watch.deliver", lambda *_: None)
        for letter in letters:
            watch.send(letter)
    return told(letters)


def test_a_second_step_follows_if_nobody_has_seen_it_and_nobody_is_told_twice(hall):
    watch = hall.watch(**TWO_STEPS)
    alert(hall.live, hall.table(), Severity.STOP)

    assert sent(watch, watch.look()) == {"pit": "hall/one, stop: The lid is open. The lid is open."}
    hall.later(299)
    assert watch.look() == []
    hall.later(1)
    assert list(sent(watch, watch.look())) == ["boss"]
    hall.later(900)
    assert watch.look() == []


def test_who_has_seen_it_ends_the_steps(hall):
    watch = hall.watch(**TWO_STEPS)
    here = hall.table()
    alert(hall.live, here, Severity.STOP)
    sent(watch, watch.look())
    watch.seen(here, "lid", "Anna")
    hall.later(301)

    assert watch.look() == []
    (row,) = hall.rows()
    assert (row["seen_by"], row["seen_ms"], row["over_ms"]) == ("Anna", BEGAN_MS, None)


def test_an_alert_that_is_gone_is_over_and_comes_again_as_another(hall):
    watch = hall.watch()
    here = hall.table()
    alert(hall.live, here, Severity.WARNING)
    watch.look()
    hall.later(10)
    hall.live.hear(here, "croupier/alert/lid", b"", NOON)
    watch.look()
    alert(hall.live, here, Severity.WARNING)
    watch.look()

    assert [row["over_ms"] for row in hall.rows()] == [BEGAN_MS + 10_000, None]
    assert len(watch.open) == 1


def test_a_floor_that_was_killed_goes_on_where_it_was(hall):
    first = hall.watch(**TWO_STEPS)
    alert(hall.live, hall.table(), Severity.STOP)
    sent(first, first.look())
    hall.later(300)
    second = hall.watch(**TWO_STEPS)

    assert list(told(second.look())) == ["boss"]
    assert len(hall.rows()) == 1


def test_after_a_start_nothing_is_over_before_its_table_was_heard(hall):
    """The broker holds nothing of what was retained: the tables tell it again, one by one."""
    first = hall.watch(**TWO_STEPS)
    here = hall.table()
    alert(hall.live, here, Severity.STOP)
    sent(first, first.look())
    before, hall.live = hall.live.tables[here], LiveTables()
    second = hall.watch(**TWO_STEPS)
    hall.later(10)
    assert second.look() == []
    table(hall.live, "one", at=hall.clock.now())
    hall.later(1)
    second.look()
    hall.live.tables[here].alerts = before.alerts
    hall.later(1)
    assert second.look() == []
    assert [row["over_ms"] for row in hall.rows()] == [None]


def test_a_thousand_silent_tables_are_one_message(hall):
    """As when the switch of a hall dies."""
    for number in range(40):
        here = hall.table(f"t{number}")
        hall.live.hear(here, "state", state_message(TableState.LOST, "b", here).payload, NOON)
    letters = hall.watch(**TWO_STEPS).look()

    assert [letter.person for letter in letters] == ["pit"]
    assert "(and 39 more)" in letters[0].subject
    assert len(letters[0].notices) == 40


def test_what_does_not_hold_stays_until_a_person_has_seen_it_and_is_not_raised_again(hall):
    here = hall.table()
    hall.ledger.take([(here, TableFault("Row 3 was told otherwise before."))])
    hall.live.fault(here, "Row 3 was told otherwise before.", NOON)
    watch = hall.watch()
    watch.look()
    (key,) = watch.open

    assert str(watch.open[key].what) == "Row 3 was told otherwise before."
    watch.seen(*key, "Anna")
    hall.later(60)
    watch.look()
    assert watch.open == {}
    assert hall.live.tables[here].fault == ""
    hall.watch().look()
    assert len(hall.rows()) == 1


def test_rows_that_come_soon_alarm_nobody(hall):
    here = hall.table()
    watch = hall.watch()
    hall.missing = {(here, "public"): 3, (here, "croupier"): 4}
    watch.look()
    hall.later(29)
    watch.look()
    assert watch.open == {}
    hall.later(1)
    watch.look()

    assert [(one.code, str(one.what)) for one in watch.open.values()] == [
        ("rows_missing", "Rows of its journal are missing here: 7.")
    ]
    hall.missing = {}
    hall.later(5)
    watch.look()
    assert watch.open == {}


@pytest.mark.parametrize(
    ("house", "said", "gesagt"),
    [
        ("zoppot-1934", "The white card came out.", "Die weiße Karte ist gekommen."),
        ("punto-banco", "The cut card came out.", "Die Schneidekarte ist gekommen."),
    ],
)
def test_an_alert_is_told_in_the_words_of_its_table_s_game(hall, house, said, gesagt):
    """In a message, on the page of alerts, and on the table's tile."""
    here = hall.table(house=house)
    alert(hall.live, here, Severity.WARNING, what="The white card came out.")
    watch = hall.watch(people={"pit": PersonSettings(webhook="http://x")},
                       rules={"all": RuleSettings(people=("pit",))})  # fmt: skip
    (letter,) = watch.look()
    german = Renderer(locale="de")
    lines = alert_lines([*watch.open.values()], hall.live.game, BEGAN_MS)
    page = german.render("parts/_notices.html", lines=lines, more=0, rules=(), answers=False)
    (tile,) = glance(hall.live.tables.values(), {}, hall.clock.now())

    assert letter.subject == f"hall/one, warning: {said} {said}"
    assert gesagt in page
    assert gesagt in german.render("parts/_tile.html", tile=tile, way="large")


def lies(hall, watch, at, first, last):
    """A table that tells so many different things that do not hold, and the letters about them."""
    found = []
    for number in range(first, last + 1):
        hall.ledger.take([(at, TableFault(f"Lie {number}.", FaultCode.CHAIN))])
        if number % 20 == 0:
            hall.later(20)
            letters = watch.look()
            sent(watch, letters)
            found += letters
    return found


def test_lies_of_one_table_are_one_line_and_one_message_and_one_press_clears_them(hall):
    watch = hall.watch(**TWO_STEPS)
    liar, honest = hall.table("liar"), hall.table("honest")
    letters = lies(hall, watch, liar, 1, 60)
    alert(hall.live, honest, Severity.NOTICE)
    watch.look()
    lines = alert_lines([*watch.open.values()], hall.live.game, hall.clock.ms())
    lies(hall, watch, liar, 61, 80)
    page = Renderer(locale="en").render(
        "parts/_notices.html", lines=lines, more=0, rules=(), answers=True
    )
    watch.seen(liar, lines[0].notice.alert, "boss", lines[0].up_to)

    assert [letter.person for letter in letters] == ["pit"]
    assert [(line.name, line.more) for line in lines] == [("hall / liar", 59), ("hall / honest", 0)]
    assert "59 more like this" in page
    assert len([one for one in watch.open.values() if one.at == liar]) == 20


def test_a_table_s_further_lines_come_after_those_of_all_tables(hall):
    many, few = hall.table("many"), hall.table("few")
    for number in range(6):
        alert(hall.live, many, Severity.STOP, id_=f"a{number}")
    alert(hall.live, few, Severity.NOTICE)
    watch = hall.watch()
    watch.look()

    lines = alert_lines([*watch.open.values()], hall.live.game, BEGAN_MS)

    assert [line.notice.at.table for line in lines] == [*["many"] * 3, "few", *["many"] * 3]


def test_a_table_has_only_so_many_open_alerts(hall, monkeypatch):
    monkeypatch.setattr("table_controller.floor.watch.MOST_OPEN", 30)
    watch, liar = hall.watch(), hall.table("liar")

    lies(hall, watch, liar, 1, 100)

    assert len(watch.open) == len(hall.rows()) == 30


def test_what_a_table_plays_is_kept(hall):
    hall.table()
    hall.watch().look()

    (row,) = hall.rows(houses)
    assert (row["house"], row["game"]) == ("zoppot-1934", "chemin-de-fer")


def test_a_server_that_takes_nothing_is_tried_again_after_a_minute_and_said(hall):
    with sinks.mail_sink() as sink, sinks.hook() as hook:
        sink.full, hook.status = True, 500
        watch = hall.watch(
            people={
                "anna": PersonSettings(mail="anna@floor.example"),
                "pit": PersonSettings(webhook=f"http://127.0.0.1:{hook.server_port}/secret"),
            },
            rules={"all": RuleSettings(people=("anna", "pit"))},
            mail=MailSettings(
                host="127.0.0.1", port=sink.server_address[1], sender="f@floor.example", tls="none"
            ),
        )
        alert(hall.live, hall.table(), Severity.STOP)
        for letter in watch.look():
            watch.send(letter)
        hall.later(59)
        assert watch.look() == []
        sink.full, hook.status = False, 200
        hall.later(1)
        for letter in watch.look():
            watch.send(letter)
        hall.later(600)
        assert watch.look() == []

    kept = [(row["person"], row["failed"]) for row in hall.rows(deliveries)]
    assert kept[0][1].startswith("127.0.0.1:")
    assert kept[0][1].endswith("takes no mail: it answers 452")
    assert kept[1:] == [
        ("pit", "the webhook takes nothing: it answers 500"), ("anna", ""), ("pit", ""),
    ]  # fmt: skip
    assert "secret" not in str(kept)
    assert watch.counts == {"told": 2, "failed": 2}


def hooked(hall, hook, **more):
    """A floor that tells one person by this webhook; all alerts there are."""
    alert(hall.live, hall.table(), Severity.STOP)
    return hall.watch(
        people={"pit": PersonSettings(webhook=f"http://127.0.0.1:{hook.server_port}/a", **more)},
        rules={"all": RuleSettings(people=("pit",))},
    )


def test_a_server_that_takes_nothing_for_an_hour_is_noted_once(hall):
    with sinks.hook() as hook:
        hook.status = 500
        watch = hooked(hall, hook)
        for _ in range(60):
            for letter in watch.look():
                watch.send(letter)
            hall.later(60)
        hook.status = 200
        for letter in watch.look():
            watch.send(letter)

    assert [row["failed"] for row in hall.rows(deliveries)] == [
        "the webhook takes nothing: it answers 500", ""
    ]  # fmt: skip
    assert len(hook.posts) == 61


def test_a_webhook_that_redirects_has_taken_nothing(hall):
    """The redirected request would be a GET without the message, at a host that nobody set."""
    with sinks.hook() as hook, sinks.hook() as other:
        hook.status, hook.location = 302, f"http://127.0.0.1:{other.server_port}/b"
        watch = hooked(hall, hook)
        for letter in watch.look():
            watch.send(letter)

    assert [row["failed"] for row in hall.rows(deliveries)] == [
        "the webhook takes nothing: it answers 302"
    ]
    assert (len(hook.posts), other.posts, other.gets) == (1, [], [])


def test_a_webhook_that_answers_nonsense_is_said_and_left_alone_for_a_minute(hall):
    with sinks.hook() as hook:
        hook.raw = b"nonsense\r\n\r\n"
        watch = hooked(hall, hook)
        for letter in watch.look():
            watch.send(letter)
        hall.later(59)

        assert watch.look() == []
    assert [row["failed"] for row in hall.rows(deliveries)] == [
        "the webhook takes nothing: BadStatusLine"
    ]


def test_a_password_that_is_no_text_is_said(hall, tmp_path):
    (tmp_path / "secret").write_bytes(b"\xff\n")
    with sinks.mail_sink() as sink:
        watch = hall.watch(
            people={"anna": PersonSettings(mail="anna@floor.example")},
            rules={"all": RuleSettings(people=("anna",))},
            mail=MailSettings(
                host="127.0.0.1", port=sink.server_address[1], sender="f@floor.example",
                tls="none", username="floor", password=tmp_path / "secret",
            ),
        )  # fmt: skip
        alert(hall.live, hall.table(), Severity.STOP)
        for letter in watch.look():
            watch.send(letter)

    assert [row["failed"].rpartition(": ")[2] for row in hall.rows(deliveries)] == [
        "UnicodeDecodeError"
    ]


def test_nobody_is_told_twice_while_the_database_takes_nothing(hall):
    with sinks.hook() as hook:
        watch = hooked(hall, hook)
        letters = watch.look()
        with hall.store.engine.begin() as db:
            db.execute(sa.text("alter table deliveries rename to away"))
        for letter in letters:
            watch.send(letter)
        hall.later(1)

        assert watch.look() == []
    assert len(hook.posts) == 1


def test_servers_that_hang_leave_the_floor_its_threads(tmp_path):
    """As when the house's line to the world is broken: tables are heard all the same."""
    hall = Hall(f"sqlite:///{tmp_path / 'floor.db'}")
    alert(hall.live, hall.table(), Severity.STOP)

    async def evening():
        asked, over = asyncio.Event(), asyncio.Event()

        async def hang(_reader, writer):
            asked.set()
            await over.wait()
            writer.close()

        server = await asyncio.start_server(hang, "127.0.0.1", 0)
        hook = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        names = [f"p{number}" for number in range(40)]
        watch = hall.watch(
            people={name: PersonSettings(webhook=hook) for name in names},
            rules={"all": RuleSettings(people=tuple(names))},
        )
        watching = asyncio.create_task(watch.run())
        try:
            async with asyncio.timeout(PATIENCE_S):
                await asked.wait()
            async with asyncio.timeout(5):  # a server that hangs is given up after ten
                await asyncio.to_thread(int)
        finally:
            over.set()
            watching.cancel()
            server.close()

    asyncio.run(evening())
    hall.store.close()


def test_a_mail_is_plain_text_whatever_a_table_says(hall):
    """No table adds a header or an addressee."""
    with sinks.mail_sink() as sink:
        watch = hall.watch(
            people={"anna": PersonSettings(mail="anna@floor.example")},
            rules={"all": RuleSettings(people=("anna",))},
            mail=MailSettings(
                host="127.0.0.1", port=sink.server_address[1], sender="f@floor.example", tls="none"
            ),
        )
        here = hall.table()
        hall.ledger.take([(here, TableFault("x\r\nBcc: all@floor.example\r\n\r\n<b>שלום</b> 🂡"))])
        for letter in watch.look():
            watch.send(letter)
        ((to, mail),) = sink.mails

    assert to == ["anna@floor.example"]
    assert mail["Bcc"] is None
    assert mail["Subject"].startswith("hall/one, stop: x\\u000d Bcc: all(at)floor.example")
    assert "‹b›שלום‹/b› 🂡" in mail.get_content()
    assert mail.get_content_type() == "text/plain"


def test_a_slow_table_gets_a_tile_that_says_so(hall):
    """The floor's own alerts are on the page of all tables too."""
    here = hall.table()
    watch = hall.watch(own=OwnSettings(coups_an_hour=20))
    hall.missing = {(here, "public"): 1}
    watch.look()
    hall.later(90)
    watch.look()

    assert [(note.severity, str(note.what)) for note in watch.own().values()] == [
        (Severity.NOTICE, "Rows of its journal are missing here: 1.")
    ]
