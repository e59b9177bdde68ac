import pytest

from table_controller.engine.messages import Audience
from table_controller.service.verify import verify
from tests.service import evenings, kills


@pytest.fixture(scope="module", params=["counting", "chemin-de-fer"])
def scene(request):
    return kills.scene(request.param)


@pytest.fixture(scope="module")
def undisturbed(scene, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    assert kills.run(folder, scene)
    return folder


def heard(folder):
    """What a subscriber has who inserts or ignores by id, in the order he got it."""
    rows = {}
    for line in (folder / "heard").read_bytes().splitlines():
        name, body = line.split(b" ", 1)
        assert rows.setdefault(name, body) == body
    return list(rows.items())


def left(folder, scene):
    """Everything the journal holds, opened; what still waits to be told; and the pictures."""
    journal, table = scene.open(folder)
    archive = journal.archive
    told = [
        (row.outcome, archive.body(row), [archive.body(event) for event in events])
        for row, events in archive.turns()
    ]
    pictures = [
        scene.game.snapshot(table.state, who) for who in (Audience.PUBLIC, Audience.CROUPIER)
    ]
    unsent = journal.unsent(10)
    journal.close()
    return told, unsent, pictures


def test_an_evening_killed_at_any_instant_ends_as_an_undisturbed_one(scene, undisturbed, tmp_path):
    """By kill -9 before the commit, before the publish, before its acknowledgement, anywhere."""
    killed = kills.evening(tmp_path, scene, each=10, at_random=20, seed=5)

    assert min(killed[point] for point in kills.POINTS) >= 10
    assert killed[""] >= 15
    assert left(tmp_path, scene) == left(undisturbed, scene)
    assert left(tmp_path, scene)[1] == []
    assert heard(tmp_path) == heard(undisturbed)
    assert verify(tmp_path / "table.db", evenings.KEYS).holds


def test_what_a_subscriber_hears_is_numbered_without_gaps(undisturbed):
    """Every public and croupier event once, in order; and the evening did have closed cards."""
    told = heard(undisturbed)
    numbers = [name.split(b"-") for name, _ in told]

    for audience in (b"public", b"croupier"):
        seqs = [int(seq) for who, seq in numbers if who == audience]
        assert seqs == list(range(1, len(seqs) + 1)) != []
    assert b"card_drawn" in b"".join(body for _, body in told)
