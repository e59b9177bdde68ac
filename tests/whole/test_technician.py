"""The service mode: the technician's page in Debian's Chromium, without a game."""

import asyncio
import re
import threading
from contextlib import closing, contextmanager

import cv2
import httpx
import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from table_controller.adapters.mqtt_messages import ReadingQuality
from table_controller.adapters.web.technician import Clear, Find, MarkCorner, Pressed, RecordFrames
from table_controller.commands.cli import app
from table_controller.service.archive import Archive
from table_controller.service.errors import ConfigError, JournalBusy
from table_controller.service.sealing import load_keys, make_key
from table_controller.service.store import Lock
from table_controller.wiring import config
from table_controller.wiring.shoe import eyes, readings
from table_controller.wiring.shoe.technician import Bench, marked, serve_lip
from tests.adapters.web.served import CHROMIUM, chromium
from tests.limits import PATIENCE_MS
from tests.vision.faces.drawn import At, corners, picture
from tests.vision.webcam import Box, webcam
from tests.whole.browser import ARTEFACTS
from tests.whole.lips import Scene, until
from vision import recording

LIES = At("7h", 320, 240, 260)
FIGURES = ReadingQuality(
    shoe="12", camera="scene", deck="blue-1", passages=313, cards=311, white=1, retries=1,
    agreed=305, rejects={"no_read": 1}, reads={"zxing": 1900}, margins={6: 300, 5: 13},
    late=0, stray=0, unreadable=0, dropped=0,
)  # fmt: skip


def grey(*cards, ground=(20, 20, 20)):
    return cv2.cvtColor(picture(*cards, size=(480, 640), ground=ground), cv2.COLOR_BGR2GRAY)


@pytest.fixture
def scene(monkeypatch):
    scene = Scene()
    scene.picture = grey(LIES)
    monkeypatch.setattr(eyes, "frames", lambda _settings: scene)
    return scene


@pytest.fixture
def settings(tmp_path):
    """Of a hobbyist: a webcam, faces, a journal of his own, any free port."""
    file = tmp_path / "table.toml"
    file.write_text(
        f'[journal]\npath = "{tmp_path}/table.db"\n[page]\nport = 0\n'
        '[shoe]\nreader = "camera"\ncamera = "scene"\nfaces = true\n'
    )
    return config.load(file)


@pytest.fixture
def bench(scene, settings):
    bench = Bench(settings.shoe, settings.journal.path)
    bench.start()
    asyncio.run(until(lambda: scene.taken))
    yield bench
    bench.stop()


@pytest.fixture
def served(request, scene, settings):
    """The page's address; with people, where a test has `staffed`."""
    named = "staffed" in request.fixturenames
    with running(request.getfixturevalue("staffed") if named else settings) as url:
        yield url


@contextmanager
def running(settings):
    """Serve the lip meanwhile in a thread of its own; the page's address."""
    said, loop, over = [], asyncio.new_event_loop(), None

    async def serve():
        nonlocal over
        over = asyncio.current_task()
        await serve_lip(settings, said.append)

    def run():
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(serve())

    thread = threading.Thread(target=run)
    thread.start()
    asyncio.run(until(lambda: bool(said)))
    yield re.search(r"http://\S+/", said[0])[0]
    loop.call_soon_threadsafe(over.cancel)
    thread.join()
    loop.close()


def test_figures_of_a_version_that_counted_no_gaps_are_read(tmp_path):
    """They lie beside journals of earlier evenings."""
    figures = msgspec.to_builtins(FIGURES)
    del figures["gaps"]
    readings.kept_in(tmp_path / "table.db").write_bytes(msgspec.json.encode(figures) + b"\n")

    assert readings.last_kept(tmp_path / "table.db") == (FIGURES,)


def test_the_technician_sees_what_is_in_the_lip(bench, scene, settings):
    """Picture, region, gate, each witness; why there is none; figures of closed Schlitten."""
    readings.keep(settings.journal.path, FIGURES)
    with readings.kept_in(settings.journal.path).open("ab") as file:
        file.write(b'{"shoe": "\xff"}\n{"shoe": "torn')
    seen = bench.look()
    scene.picture = None
    asyncio.run(until(lambda: bench.look().fault))
    away = bench.look()

    assert seen.jpeg.startswith(b"\xff\xd8")
    assert (seen.width, seen.height, seen.paper) == (640, 480, True)
    assert seen.said == ("face: 7h, by its face",)
    assert seen.light[0].startswith("exposure: ")
    assert "lightest spot" in seen.light[1]
    assert "edge is" in seen.light[2]
    assert seen.kept == (FIGURES,)
    assert (away.jpeg, away.fault) == (b"", "the camera is away")


def test_the_corners_of_a_card_are_found_and_give_the_settings(bench, tmp_path):
    """Lines that can be copied into the file, and are sound there."""
    assert bench.press(Find()) == ""
    seen = bench.look()
    file = tmp_path / "measured.toml"
    file.write_text("[shoe]\n" + "\n".join(seen.settings))
    shoe = config.load(file).shoe

    far = np.abs(np.array(sorted(shoe.corners)) - np.array(sorted(corners(LIES).tolist())))
    assert far.max() < 3
    assert shoe.px_per_mm == pytest.approx(260 / 63, rel=0.02)
    assert shoe.card_mm == pytest.approx((63, 88), abs=1)
    assert 40 < shoe.paper_level < 180
    assert seen.advice == ()
    assert seen.said == ("face: 7h, by its face",)


@pytest.fixture
def boxed(monkeypatch, settings):
    """A function: a bench at the twin of a webcam over a box, with an automatic exposure."""
    benches = []

    def made(box, **how):
        monkeypatch.setattr(
            eyes, "frames", lambda shoe: webcam(box, eyes.camera_settings(shoe), **how)
        )
        bench = Bench(msgspec.structs.replace(settings.shoe, exposure_us=0), settings.journal.path)
        benches.append(bench)
        bench.start()
        asyncio.run(until(lambda: bool(bench.look().jpeg)))
        return bench

    yield made
    for bench in benches:
        bench.stop()


def test_an_automatic_exposure_becomes_one_that_is_held(boxed, tmp_path):
    """The lines have it, and the picture is taken under it from then on."""
    bench = boxed(Box(["7h"], rests=True))
    assert bench.press(Find()) == ""
    seen = bench.look()
    file = tmp_path / "measured.toml"
    file.write_text("[shoe]\n" + "\n".join(seen.settings))

    assert 2000 <= config.load(file).shoe.exposure_us <= 4000
    assert seen.advice == ()
    assert seen.said == ("face: 7h, by its face",)
    assert re.match(r"exposure: [234] ms; it smears a card at 0.5 m/s by", seen.light[0])
    assert bench.press(Find()) == ""  # once more: it stays
    assert bench.look().settings[0] == seen.settings[0]


@pytest.mark.parametrize(
    ("box", "how", "why"),
    [
        (Box(["7h"], rests=True, light=0.5), {}, "it needs 2 times the light"),
        (Box(["7h"], rests=True), {"manual": False}, "it has no such control"),
    ],
    ids=["dim", "no manual exposure"],
)
def test_without_an_exposure_to_hold_no_lines_are_shown_but_the_reason(boxed, box, how, why):
    bench = boxed(box, **how)
    assert bench.press(Find()) == ""
    seen = bench.look()

    assert seen.settings == ()
    assert why in seen.advice[0]
    assert seen.jpeg  # it goes on, by the automatic exposure
    assert seen.light[0].startswith("exposure: automatic")


def test_an_exposure_is_not_sought_while_frames_are_stored(boxed):
    bench = boxed(Box(["7h"], rests=True))
    bench.press(RecordFrames(on=True))

    assert bench.press(Find()).startswith("End the recording first")
    bench.press(RecordFrames(on=False))
    assert bench.press(Find()) == ""


def test_corners_are_marked_by_hand_moved_and_forgotten(bench):
    """Four marks measure; a fifth moves the nearest; too few measure nothing."""
    for x, y in corners(LIES).tolist():
        assert bench.look().settings == ()
        bench.press(MarkCorner(x, y))
    whole = bench.look()
    bench.press(MarkCorner(*(corners(LIES)[2] + [5, 5]).tolist()))
    moved = bench.look()
    bench.press(Clear())

    assert len(whole.corners) == len(moved.corners) == 4
    assert whole.settings
    assert moved.corners[2] != whole.corners[2]
    assert moved.corners[:2] == whole.corners[:2]
    assert bench.look().corners == ()


def test_marks_that_make_no_card_are_said(bench):
    for at in ((10, 10), (200, 200), (10, 200), (200, 10)):
        bench.press(MarkCorner(*at))
    (advice,) = bench.look().advice

    assert "make no card" in advice
    assert bench.look().settings == ()
    assert marked([(0, 0), (9, 0), (9, 9), (0, 9)], (8, 8)) == [(0, 0), (9, 0), (8, 8), (0, 9)]


def test_an_empty_lip_has_no_corners_to_find(bench, scene):
    scene.picture = grey()
    taken = scene.taken
    asyncio.run(until(lambda: scene.taken > taken + 1))

    assert bench.press(Find()).startswith("No card is found: lay one")
    assert bench.look().said == ("nothing is legible",)


def test_frames_are_stored_only_while_recording_is_on(bench, tmp_path, scene):
    """In a file beside the journal, and the page says so."""
    before = set(tmp_path.iterdir())
    assert bench.press(RecordFrames(on=True)) == ""
    film = bench.look().recording
    taken = scene.taken
    asyncio.run(until(lambda: scene.taken > taken + 3))
    bench.press(RecordFrames(on=False))

    assert before == {tmp_path / "table.toml"}
    assert bench.look().recording == ""
    assert len(list(recording.read(next(tmp_path.glob("*.film"))))) >= 3
    assert str(tmp_path) in film


def test_no_game_runs_while_the_lip_is_served_and_the_other_way_round(served, settings):
    """Both want the table's journal, and one has it."""
    with pytest.raises(JournalBusy):
        asyncio.run(serve_lip(settings, print))
    with pytest.raises(JournalBusy):
        Lock(settings.journal.path)


PINS = {"Anna": "482913", "Béla": "730156", "Tibor": "615942"}


@pytest.fixture
def staffed(settings, tmp_path):
    """The same with people: a supervisor, a croupier, a technician."""
    make_key(tmp_path / "table.key")
    file = tmp_path / "table.toml"
    text = file.read_text().replace("[journal]\n", f'[journal]\nkey = "{tmp_path}/table.key"\n')
    file.write_text(text)
    for name, role in (("Anna", "supervisor"), ("Béla", "croupier"), ("Tibor", "technician")):
        line = ["people", "add", name, "--role", role, "--config", str(file)]
        done = CliRunner().invoke(app, line, input=f"{PINS[name]}\n")
        assert done.exit_code == 0, done.output
    return config.load(file)


@pytest.mark.parametrize(("name", "code"), [("Anna", 200), ("Tibor", 200), ("Béla", 403)])
def test_the_lip_is_shown_to_who_signed_in_as_technician_or_supervisor(staffed, served, name, code):
    """It names cards; strangers and a croupier are shown where to sign in."""
    origin = {"Origin": served.rstrip("/")}
    with httpx.Client(base_url=served, headers=origin) as client:
        stranger = [client.get(path) for path in ("/", "/look", "/picture/1")]
        pressed = client.post("/press", json={"type": "find"})
        wrong = client.post("/sign-in", json={"name": name, "pin": "111222"})
        known = client.post("/sign-in", json={"name": name, "pin": PINS[name]})
        seen = [client.get(path).status_code for path in ("/", "/look")]
        client.post("/sign-out", json={})
        after = client.get("/look").status_code

    assert [answer.status_code for answer in (*stranger, pressed)] == [401] * 4
    assert all("7h" not in answer.text for answer in stranger)
    assert 'id="sign-in"' in stranger[0].text
    assert "/public" not in stranger[0].text
    assert (wrong.status_code, known.status_code) == (401, 200)
    assert seen == [code, code]
    assert after == 401


def test_who_signs_in_at_the_lip_is_journaled(staffed, scene):
    """Also who was refused; and no game can run meanwhile."""
    with running(staffed) as url, httpx.Client(base_url=url) as client:
        origin = {"Origin": url.rstrip("/")}
        for pin in ("111222", PINS["Tibor"]):
            client.post("/sign-in", json={"name": "Tibor", "pin": pin}, headers=origin)
        with pytest.raises(JournalBusy):
            Lock(staffed.journal.path)

    keys = load_keys(staffed.journal.key, {})
    with closing(Archive.read(staffed.journal.path, keys)) as archive:
        said = [msgspec.json.decode(archive.body(row)) for row in archive.inputs()]
    assert [(one["type"], one["actor"]) for one in said[-2:]] == [
        ("sign_in_refused", "page"),
        ("signed_in", "technician:Tibor"),
    ]


def test_a_taken_port_and_wrong_settings_are_said(scene, settings, tmp_path):
    """In a sentence; and the journal is free again afterwards."""
    import socket

    from msgspec.structs import replace

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        page = replace(settings.page, port=other.getsockname()[1])
        for _ in range(2):
            with pytest.raises(ConfigError, match="is taken by another program"):
                asyncio.run(serve_lip(replace(settings, page=page), print))
    blind = replace(settings, shoe=replace(settings.shoe, faces=False))
    with pytest.raises(ConfigError, match="by their labels or by their faces"):
        asyncio.run(serve_lip(blind, print))


def test_the_page_takes_presses_of_its_own_only(served):
    """Guarded as the table's pages are: names, origin, content, size."""
    with httpx.Client(base_url=served) as client:
        own = {"origin": served.rstrip("/")}
        page = client.get("/")
        foreign = client.get("/", headers={"host": "evil.example"})
        crossed = client.post("/press", json={"type": "clear"}, headers={"origin": "http://x"})
        strange = client.post("/press", json={"type": "deal"}, headers=own)
        torn = client.post(
            "/press",
            content=b'{"type": "\xff"}',
            headers=own | {"content-type": "application/json"},
        )
        long = client.post("/press", json={"type": "clear", "x": "9" * 3000}, headers=own)
        good = client.post("/press", json={"type": "mark", "x": 1, "y": 2}, headers=own)
        gone = client.get("/picture/99999")

    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    assert "<script>" not in page.text
    assert [one.status_code for one in (foreign, crossed, strange, torn, long, good, gone)] == [
        *(421, 403, 400, 400, 413, 200, 404),
    ]


def test_the_page_in_a_browser_finds_marks_and_measures(served, scene, settings):
    """Live picture, witnesses, corners by a press and by pointing; in German too; a screenshot."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt install chromium-headless-shell")
    readings.keep(settings.journal.path, FIGURES)
    complaints = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.goto(served)
        page.locator(".said", has_text="7h, by its face").wait_for()
        page.get_by_role("button", name="find the card's corners").click()
        page.locator("pre", has_text="px_per_mm").wait_for()
        page.wait_for_function("() => document.querySelectorAll('#lip circle').length === 4")
        page.wait_for_function("() => document.querySelector('#lip image').getAttribute('href')")
        page.wait_for_timeout(300)
        page.screenshot(path=ARTEFACTS / "technician.png")
        found = page.locator("pre").inner_text()
        box = page.locator("#lip").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.2)
        page.wait_for_function(
            "lines => document.querySelector('pre')?.innerText !== lines", arg=found
        )
        page.goto(f"{served}?lang=de")
        page.get_by_text("Lichtschranke").or_(page.get_by_text("die Zeugen")).wait_for()
        german = page.locator("body").inner_text()

    assert complaints == []
    assert "corners = [[" in found
    assert "⟦" not in german
    assert "kann nicht gespielt werden" in german


@pytest.mark.parametrize("x", [-1, 10_001])
def test_a_mark_beyond_any_picture_is_none(x):
    """No camera has so many pixels."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "mark", "x": x, "y": 5}, Pressed)
