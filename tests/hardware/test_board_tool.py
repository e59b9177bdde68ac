import io
import json

import pytest

from firmware_bridge.messages import SEATS, Cause, Colour, Sensor, Status
from hardware import board_tool, measure
from hardware.board_tool import BoardToolError
from hardware.netlist import nano_pins
from table_controller.commands.board_report import Answers
from table_controller.service.errors import RecordingError


def test_a_board_is_shown():
    """What it says of itself, on the twin."""
    look = board_tool.show("twin")

    assert look.status.connected
    assert look.status.board.bad_frames == 0
    assert look.met.boot_id == 1


def test_every_lamp_and_digit_is_tried_out():
    """Each seat in each colour, each digit on both displays, and dark at the end."""
    pictures = dict(board_tool.trial_pictures())
    said = []

    assert board_tool.try_out("twin", said.append, pause_s=0.0) == len(pictures) == len(said)
    assert {
        f"seat {seat + 1} {colour.name.lower()}" for seat in range(SEATS) for colour in Colour
    } < set(said)
    for digit in "123456789":
        assert f"all digits {digit}" in said
    assert said[-1] == "all dark"


def test_what_a_person_saw_is_asked_and_kept(tmp_path):
    """A seat in its colours is one question; what was not seen, or not answered, is named."""
    report = tmp_path / "seen.jsonl"
    questions = []

    def reads(question):
        questions.append(question)
        if question.startswith("seat 12"):
            return "n"
        if question.startswith("all dark"):
            raise EOFError
        return "" if len(questions) % 2 else "Y"

    seen = Answers("twin", report, reads)
    board_tool.try_out("twin", seen.told, ask=seen.ask, pause_s=0.0)

    assert seen.close() == ["seat 12 in its colours", "all dark"]
    assert questions[0] == "seat 1 in its colours: did you see it? [Y/n] "
    assert len(questions) == 12 + 3 + 9 + 3 + 3 + 1
    kept = [json.loads(line) for line in report.read_text().splitlines()]
    assert kept[0]["board"] == "twin"
    assert {"asked": "seat 12 in its colours", "seen": False, "answer": "n"} in kept
    assert {"asked": "all digits 3", "seen": True, "answer": "y"} in kept or (
        {"asked": "all digits 3", "seen": True, "answer": ""} in kept
    )
    assert kept[-1] == {"not_seen": ["seat 12 in its colours", "all dark"]}
    with pytest.raises(RecordingError, match=r"Cannot write the report .*seen.jsonl: File exists"):
        Answers("twin", report)


def test_a_report_in_which_nothing_was_asked_is_removed(tmp_path):
    """The same command may be given again; a report with an answer stays."""
    report = tmp_path / "seen.jsonl"
    for asked in ((), ("all dark",)):
        with Answers("twin", report, lambda _question: "n") as seen:
            for what in asked:
                seen.ask(what)

        assert report.exists() == bool(asked)


def test_a_question_leaves_standard_output_to_programs(tmp_path, capsys, monkeypatch):
    """And an input that has ended ends the line of its question."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with Answers("twin", tmp_path / "seen.jsonl") as seen:
        seen.ask("all dark")
        seen.ask("buzzer beep")

        assert seen.close() == ["buzzer beep"]
    asked = "all dark: did you see it? [Y/n] buzzer beep: did you see it? [Y/n] \n"
    assert capsys.readouterr() == ("", asked)


@pytest.mark.parametrize("build", ["modules", "board"])
def test_the_emulated_board_has_the_lamps_of_its_build(build):
    """Before, it always had the firmware of `board`, and the test of `modules` ended at once."""
    said = []
    count = board_tool.try_out("emulated", said.append, build=build, pause_s=0.0, patience_s=20)

    assert count == len(dict(board_tool.trial_pictures()))
    assert said[0] == "seat 1 red"


def test_a_board_is_timed():
    """From a wish to its acknowledgement, each picture."""
    timing = board_tool.time_board("twin", count=20)

    assert timing.count == 20
    assert 0 < timing.p50_ms <= timing.p99_ms


def test_the_real_firmware_answers_by_name():
    """Port `emulated` starts the emulator and nothing else."""
    assert board_tool.show("emulated", patience_s=20).status.board.lost_reports == 0


def test_every_board_is_listed_once_by_its_socket(tmp_path, monkeypatch):
    """Two of one kind are two; a second name that udev gives the same socket is left out."""
    names = tmp_path / "by-path"
    names.mkdir()
    monkeypatch.setattr(board_tool, "_BY_PATH", names)
    assert board_tool.find() == []
    for device, sockets in {
        "ttyUSB0": ("usb-0:1.2", "usbv2-0:1.2"),
        "ttyUSB1": ("usb-0:1.3",),
    }.items():
        (tmp_path / device).touch()
        for socket in sockets:
            (names / socket).symlink_to(tmp_path / device)

    assert board_tool.find() == [str(names / "usb-0:1.2"), str(names / "usb-0:1.3")]


def test_no_board_is_a_sentence(tmp_path):
    """The port and what to do."""
    with pytest.raises(BoardToolError, match=r"usb-board is not there: plug the device in"):
        board_tool.show(str(tmp_path / "usb-board"), patience_s=0.2)


def test_flashing_says_what_went_wrong(tmp_path):
    """A wrong lamp build, a port that is not there: nothing was written, and why."""
    with pytest.raises(BoardToolError, match=r"'ws2812'.*hc595 or apa102"):
        board_tool.flash("nowhere", lamps="ws2812")
    with pytest.raises(BoardToolError, match=r"(?s)nowhere was not flashed.*57600 baud"):
        board_tool.flash(str(tmp_path / "nowhere"))


#: The buttons and sensors of the pin table, without the spare one, to which nothing is wired.
WIRED = sum(pin.guard in ("contact", "sensor") for pin in nano_pins()) - 1


def test_what_was_not_heard_is_named_with_its_part_and_what_a_meter_shows():
    """Of the build, if that is known: every button and sensor, as nobody touches them here."""
    said = []

    board_tool.try_out("twin", said.append, build="board", pause_s=0.0)

    missing = [sentence for sentence in said if sentence.startswith("not heard: ")]
    assert len(missing) == WIRED
    assert missing[2] == (
        "not heard: button 3: SW3 (push button, makes contact when pressed) by J2 pole 3. D5 of "
        "U1: 5 V, under 0.3 V while pressed. Beside it: D103, R107, R108"
    )
    (beam,) = (sentence for sentence in missing if "exit beam" in sentence)
    assert "Q3 (phototransistor" in beam
    assert "J3 pole 3" in beam


@pytest.mark.parametrize(
    ("build", "beside"), [("modules", "D114, R129, R130"), ("board", "D112, R133, R134")]
)
def test_each_build_names_its_own_parts(build, beside):
    """The beam's guard has other references in each, and the doctor's sentence its build."""
    (beam,) = (one for one in measure.missing(build, set()) if one.startswith("exit beam: "))

    assert beam == (
        "exit beam: Q3 (phototransistor with daylight filter, 3 mm) by J3 pole 3. A3 of U1: under "
        f"0.8 V, 5 V with a card in the beam or a wire off. Beside it: {beside}"
    )
    assert measure.silent(build).startswith(
        f"Measure (build `{build}`, D1, U1): pin 5V of U1 has 4.4 to 4.8 V on USB alone"
    )


def test_only_what_stays_silent_is_to_be_measured():
    """Button 1 and the lid were heard."""
    silent = measure.missing("modules", {"BUTTON_0", "LID"})

    assert len(silent) == WIRED - 2
    assert not [sentence for sentence in silent if sentence.startswith(("button 1:", "lid:"))]


def status(**changed):
    """A board at rest: its lid shut, its beam free."""
    return Status(**{"time_us": 0, "cause": Cause.POWER_ON, "bad_frames": 0, "overruns": 0,
                     "lost_reports": 0, "pressed": 0, "active": 0} | changed)  # fmt: skip


def test_every_sensor_says_what_it_looks_like():
    """A new one too: `reads` in board.toml."""
    assert all(pin.reads for pin in nano_pins() if pin.settle_ms)
    assert {pin.name for pin in nano_pins() if pin.settle_ms} == {one.name for one in Sensor}


def test_a_board_at_rest_needs_no_measuring():
    assert measure.at_rest("modules", status(), beam=True) == []
    assert measure.at_rest("modules", status(active=0b001), beam=False) == []  # without a beam


#: What a board of build `modules` may say at rest that is ill, and the sentence for it.
ILL = {
    "reads as pressed: button 3: SW3 (push button, makes contact when pressed) by J2 pole 3. D5 of "
    "U1: 5 V, under 0.3 V while pressed. Beside it: D103, R107, R108": {"pressed": 0b100},
    "reads as if the lid were open: lid: SW9 (micro switch with lever, change-over; its NO contact "
    "is used) by J3 pole 5. A4 of U1: under 0.3 V, 5 V with the lid open or a wire off. Beside it: "
    "D115, R131, R132": {"active": 0b010},
    "reads as if a card were in the beam: exit beam: Q3 (phototransistor with daylight filter, "
    "3 mm) by J3 pole 3. A3 of U1: under 0.8 V, 5 V with a card in the beam or a wire off. Beside "
    "it: D114, R129, R130": {"active": 0b001},
    "reads as if the white card were at its sensor: cut card: nothing is wired by J3 pole 6. A5 of "
    "U1: 5 V, under 0.8 V with the white card before it. Beside it: D116, R133, R134": {
        "active": 0b100
    },
    "its supply fell too low and it restarted: pin 5V of U1 has at least 4.6 V with all lamps and "
    "digits lit; D1, F1, and the wires of J1 and J4": {"cause": Cause.BROWN_OUT},
}


@pytest.mark.parametrize("said", ILL)
def test_what_a_board_at_rest_should_not_say_is_named_with_part_and_measurement(said):
    assert measure.at_rest("modules", status(**ILL[said]), beam=True) == [said]


#: A picture that a person did not see, and where to look.
UNSEEN = """
modules | seat 12 in its colours | lamp 12 of DS3 by J5: 4.9 to 5.2 V at its 5V, and DO and CO of the lamp before it
board | seat 12 in its colours | D312 by J8, R234, U6, R235, R236: 5 V at the chip's output while lit
modules | all lamps blink | lamp 1 of DS3 by J5: 4.9 to 5.2 V at its 5V, and DO and CO of the lamp before it
board | all lamps on | U2 to U6: OE has 0 V while the firmware runs, SRCLR and VCC have 5 V
board | all digits 3 | DS1 and DS2 by J4: 4.9 to 5.2 V at VCC; the chain goes on from DOUT of the first
modules | first display dashes, second 1 | DS1 and DS2 by J4: 4.9 to 5.2 V at VCC; the chain goes on from DOUT of the first
modules | buzzer alarm | BZ1, Q2, D4: D3 of U1 has 5 V while it sounds
"""  # noqa: E501


@pytest.mark.parametrize("line", UNSEEN.strip().splitlines())
def test_what_was_not_seen_is_named_with_its_part(line):
    build, asked, said = line.split(" | ")
    assert measure.unseen(build, asked) == said


def test_every_trial_picture_has_a_place_to_measure():
    """But for the dark one, of which nothing has to be seen."""
    for build in ("modules", "board"):
        dumb = [text for text, _ in board_tool.trial_pictures() if not measure.unseen(build, text)]
        assert dumb == ["all dark"]


def test_a_board_that_does_not_answer_is_measured_by_its_build(tmp_path):
    gone = str(tmp_path / "usb-board")
    with pytest.raises(
        BoardToolError, match=r"plug the device in.*Measure \(build `board`, D1, U1"
    ):
        board_tool.try_out(gone, print, build="board", patience_s=0.2)


def test_a_firmware_for_other_lamps_than_the_builds_is_a_sentence():
    """The twin's are 74HC595."""
    with pytest.raises(BoardToolError, match=r"hc595 lamps, and the build `modules` has apa102"):
        board_tool.try_out("twin", print, build="modules", pause_s=0.0)
    with pytest.raises(BoardToolError, match=r"no build is called 'kit': it is modules or board"):
        board_tool.try_out("twin", print, build="kit")
