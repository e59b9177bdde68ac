"""Input that is torn, foreign, taken, full or gone gives a sentence with a remedy.

Nothing else stops.
"""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess

import pytest

from table_controller.service.sealing import load_keys, make_key
from table_controller.service.verify import verify
from tests.brokers import Mosquitto, free_port
from tests.limits import LONG_S, PATIENCE_S
from tests.whole.commands import Running, schlitten

#: Whole evenings, programs and films: minutes, on a machine that is busy.
pytestmark = pytest.mark.timeout(LONG_S)

ANY_PORTS = ("--page-port", 0, "--broker-port", 0)


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    path = tmp_path_factory.mktemp("recording") / "evening.jsonl"
    assert schlitten("simulate", "--coups", 5, "--out", path).code == 0
    return path


@pytest.fixture
def table(tmp_path):
    """Write the settings of a table with a key of its own; its file."""

    def write(page=0, broker='kind = "none"', name="table"):
        if not (tmp_path / "table.key").exists():
            make_key(tmp_path / "table.key")
        file = tmp_path / f"{name}.toml"
        file.write_text(
            f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
            f'[board]\nport = "twin"\n[broker]\n{broker}\n[page]\nport = {page}\n'
        )
        return file

    return write


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[table\nname = ", "is not TOML"),
        ("\udc89PNG", "byte 0 is not UTF-8"),
        ("[page]\nprot = 8080\n", "line 2: page.prot = 8080: there is no setting 'prot'"),
        ('[page]\nport = "eighty"\n', "line 2: page.port = 'eighty'"),
        ("[page]\nport = 70000\n", "line 2: page.port = 70000"),
        ("[lamps]\non = true\n", "there is no setting 'lamps'; there are: table, journal"),
        ('[table]\ngame = "bridge"\n', "want one of: chemin-de-fer"),
        ('[page]\nlanguage = "es"\n', "page.language = 'es': want one of: en, de, fr, sv, hu."),
        ("[page]\nport = -1\n", "page.port = -1: want a whole number from 0 on."),
        ('[page]\nport = "a"\n', "page.port = 'a': want a whole number."),
        (f'[table]\nname = "{"x" * 10_000}"\n', f"table.name = '{'x' * 59}…: want 1 to 64"),
        (f"[{'x' * 10_000}]\na = 1\n", f"there is no setting '{'x' * 59}…; there are"),
        ('[table]\nhouse = "monaco"\n', "unknown house 'monaco': want one of"),
        ('[table]\nname = "Table 1"\n', "want 1 to 64 of the letters a-z"),
    ],
)
def test_a_bad_settings_file_is_named_with_line_value_and_remedy(tmp_path, text, said):
    file = tmp_path / "table.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    got = schlitten("check-config", file)

    assert got.code == 2
    assert said in got.sentence
    assert str(file) in got.sentence or "house" in got.sentence
    assert got.out == ""


def test_a_table_with_bad_settings_does_not_start(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text("[page]\nprot = 8080\n")
    got = schlitten("run", "--config", file)

    assert got.code == 2
    assert f"{file}, line 2: page.prot = 8080: there is no setting 'prot'" in got.sentence


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [*lines[:20], lines[20][:30], *lines[21:]], "line 21 is broken"),
        (lambda lines: lines[:-1], "the last line must close it"),
        (lambda lines: lines[:-40], "the last line must close it"),
        (lambda lines: [*lines[:20], *lines[21:]], "lines between header and end, but"),
        (lambda lines: [lines[0].replace("chemin-de-fer", "bridge"), *lines[1:]], "digest"),
        (lambda _: ["\x89PNG"], "neither a recording, a scenario, a tape nor a film"),
    ],
    ids=["a broken line", "no end", "cut", "a line less", "altered", "a picture"],
)
def test_a_damaged_recording_is_named_with_its_line(recording, tmp_path, change, said):
    """Nothing of it is played: replay, and verify as well, end with 2 and a sentence."""
    path = tmp_path / "evening.jsonl"
    path.write_text("\n".join(change(recording.read_text().splitlines())) + "\n")
    got = schlitten("replay", path, "--json")

    assert got.code == 2
    assert got.out == ""
    assert str(path) in got.sentence
    assert said in got.sentence
    assert "again" in got.sentence
    assert schlitten("verify", path).code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("simulate", "--faults", "wobble"), "unknown fault 'wobble'; there are: device"),
        (("simulate", "--house", "monaco"), "unknown house 'monaco': want one of"),
        (("simulate", "--game", "bridge"), "unknown game 'bridge': want one of chemin-de-fer"),
        (("demo", "--house", "monaco"), "unknown house 'monaco': want one of"),
        (("tableau", "--house", "monaco"), "unknown house 'monaco': want one of"),
        (("recall", "nowhere.db"), "There is no journal nowhere.db. Name an existing one."),
        (("verify", "nowhere.db"), "Cannot read nowhere.db: No such file or directory"),
        (("replay", "nowhere.jsonl"), "Cannot read the recording nowhere.jsonl"),
    ],
)
def test_what_is_unknown_is_named_with_what_there_is(words, said, tmp_path):
    more = ("--out", tmp_path / "out.jsonl") if words[0] == "simulate" else ()
    got = schlitten(*words, *more)

    assert got.code == 2
    assert said in got.sentence
    assert not (tmp_path / "out.jsonl").exists()


def test_an_unknown_rule_is_not_what_holds():
    """1, with the ids near it."""
    got = schlitten("rule", "Z-99")

    assert got.code == 1
    assert got.sentence == "there is no rule 'Z-99'; near it: Z-9, Z-19"


@pytest.mark.parametrize("speed", ["0", "-1", "fast"])
def test_a_speed_that_is_none_is_bad_usage(speed):
    got = schlitten("demo", "--speed", speed)

    assert got.code == 2
    assert f"'{speed}' is no speed: want a number over 0, or max" in got.errors


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    got = schlitten("demo", "--keep", tmp_path / "file")

    assert got.code == 2
    assert f"{tmp_path}/file" in got.sentence
    assert "Name one that you may write" in got.sentence


def test_a_busy_journal_and_a_wrong_key_are_named(table, tmp_path):
    """The second service does not start; the first goes on."""
    port = free_port()
    with Running("run", "--config", table(page=port)) as first:
        url = f"http://127.0.0.1:{port}/"
        first.page(url)
        second = schlitten("run", "--config", table(name="second"))
        first.page(url)
        code, _ = first.ends(signal.SIGTERM)
    (tmp_path / "table.key").unlink()
    wrong = schlitten("run", "--config", table())
    key = tmp_path / "table.key"
    opened = schlitten("export", tmp_path / "table.db", "--key", key, "--out", tmp_path / "x")

    assert (second.code, code, wrong.code, opened.code) == (2, 0, 2, 2)
    assert f"is being written by another service (process {first.process.pid})" in second.sentence
    for got in (wrong, opened):
        assert "was sealed with the key" in got.sentence
        assert "Name the key file of this table" in got.sentence
    assert not (tmp_path / "x").exists()


def test_taken_ports_stop_neither_the_table_nor_each_other(film):
    """Both are named with what to do; the evening is dealt all the same."""
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        page, broker = (server.getsockname()[1] for server in (one, two))
        got = schlitten(
            *("demo", "--once", "--speed", "max", "--json", "--film", film),
            *("--page-port", page, "--broker-port", broker),
        )
        two.setblocking(False)
        with pytest.raises(BlockingIOError):  # whoever has the broker's port is told nothing
            two.accept()

    assert got.code == 0
    assert got.lines[-1]["summary"]["coups"] == 5
    assert f"page: port {page} at 127.0.0.1 is taken by another program" in got.errors
    assert f"broker: port {broker} at 127.0.0.1 is taken by another program" in got.errors
    assert "Traceback" not in got.errors


def test_a_page_comes_when_its_port_is_free(table):
    """And says meanwhile, on the terminal, what is in its way."""
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    with Running("run", "--config", table(page=port)) as service:
        service.says(f"page: port {port} at 127.0.0.1 is taken")
        taken.close()
        shown = service.page(
            f"http://127.0.0.1:{port}/", holds=lambda page: "No answer from: page" not in page
        )
        code, _ = service.ends(signal.SIGTERM)

    assert "Zoppot 1934" in shown
    assert code == 0


def test_a_broker_may_be_down_at_the_start_and_go_later(table, tmp_path):
    """The table is served all along; its page says what is lost, until it is back."""
    broker, page = Mosquitto(tmp_path), free_port()
    url = f"http://127.0.0.1:{page}/"
    lost = "No answer from: broker"
    settings = table(page, f'kind = "mqtt"\nport = {broker.port}')
    try:
        with Running("run", "--config", settings) as service:
            service.page(url, holds=lambda seen: lost in seen)
            service.says(f"broker: The broker at 127.0.0.1:{broker.port} is lost: it cannot be rea")
            broker.start()
            service.page(url, holds=lambda seen: lost not in seen)
            broker.kill()
            service.page(url, holds=lambda seen: lost in seen)
            broker.start()
            service.page(url, holds=lambda seen: lost not in seen)
            code, _ = service.ends(signal.SIGTERM)
    finally:
        broker.stop()

    assert code == 0
    assert verify(tmp_path / "table.db", load_keys(tmp_path / "table.key", {})).holds


#: Runs the rest of its words with a full disk at the first; a line on its input makes room. Then
#: the journal is copied to the second, since the disk goes with this shell.
SMALL_DISK = """
disk=$0 copy=$1; shift
mount -t tmpfs -o size=96m none "$disk" && head -c 60000000 /dev/zero >"$disk/ballast" || exit 3
"$@" &
read line && rm "$disk/ballast"
wait $!
status=$?
cp "$disk"/kept/table.* "$copy"
exit $status
"""


def test_a_full_disk_stands_the_table_still_until_there_is_room(film, tmp_path):
    """Below 64 MiB no coup begins, and the page says why; with room the evening goes on (R-53)."""
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a small disk (unshare -rm)")
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    disk.mkdir()
    copy.mkdir()
    with Running(
        *("demo", "--once", "--speed", "max", "--json", "--film", film, *ANY_PORTS),
        *("--keep", disk / "kept"),
        shell=("unshare", "-rm", "sh", "-c", SMALL_DISK, disk, copy),
    ) as evening:
        url = evening.says(r"page +(http://\S+)")[1]
        evening.page(url, holds=lambda seen: "The disk of the journal is full." in seen)
        evening.process.stdin.write("room\n")
        evening.process.stdin.flush()
        code, _ = evening.ends()
    undisturbed = schlitten(
        *("demo", "--once", "--speed", "max", "--json", "--film", film, *ANY_PORTS)
    )
    verdict = verify(copy / "table.db", load_keys(copy / "table.key", {}))
    recalled = schlitten("recall", copy / "table.db", "--json").lines

    assert code == 0
    assert verdict.holds, verdict
    assert undisturbed.lines[-1]["summary"]["coups"] == 5
    settled = [line["event"] for line in undisturbed.lines[:-1]]
    pots = [event["pot_after"] for event in settled if event["type"] == "coup_settled"]
    assert [coup["pot_after"] for coup in recalled][:5] == pots


def test_ctrl_c_ends_the_demo_with_pages_and_streams_open(tmp_path, capsys):
    """Exit code 0, nothing printed that a person would not understand; within seconds."""
    with Running("demo", *ANY_PORTS, "--json", "--keep", tmp_path / "kept") as demo:
        url = demo.says(r"page +(http://\S+?)/\n")[1]
        port, guest = demo.says(r"mosquitto_sub -p (\d+) -u guest -P (\S+)").groups()
        streams = [_open(url, path) for path in ("/live", "/public/live") * 3]
        listener = _subscriber(port, guest)
        code, seconds = demo.ends(signal.SIGINT)
        for stream in streams:
            stream.close()
        if listener:
            listener.kill()
            listener.wait()
    with capsys.disabled():
        print(f" Ctrl-C to exit, 6 streams open: {seconds:.2f} s ", end="")

    assert code == 0
    assert seconds < 3  # the aim is one second, on a machine with nothing else to do
    assert verify(tmp_path / "kept" / "table.db").holds


def _open(url: str, path: str) -> socket.socket:
    """A page's stream, with its first picture read."""
    host, port = re.fullmatch(r"http://(.+):(\d+)", url).groups()
    stream = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    seen = b""
    while b"event: parts" not in seen:
        seen += stream.recv(65536)
    return stream


def _subscriber(port: str, password: str) -> subprocess.Popen | None:
    """A guest who listens; None where the machine has no client of Mosquitto."""
    if not shutil.which("mosquitto_sub"):
        return None
    words = ("-p", port, "-u", "guest", "-P", password, "-t", "schlitten/2/demo/table-1/event/+")
    return subprocess.Popen(["mosquitto_sub", *words], stdout=subprocess.DEVNULL)
