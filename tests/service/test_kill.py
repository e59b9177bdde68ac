import pytest

from table_controller.service.verify import verify
from tests.service import counting, evenings, kills


def heard(folder):
    """What a subscriber has who inserts or ignores by id, in the order he got it."""
    rows = {}
    for line in (folder / "heard").read_bytes().splitlines():
        name, body = line.split(b" ", 1)
        assert rows.setdefault(name, body) == body
    return list(rows.items())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    assert kills.run(folder, kills.Killer("", 0))
    return folder


def rows(folder):
    """Inputs and public, croupier and sealed events as people would read them."""
    archive = evenings.open_journal(folder / "table.db")
    told = [
        (row.outcome, archive.archive.body(row), [archive.archive.body(event) for event in events])
        for row, events in archive.archive.turns()
    ]
    unsent, state = archive.unsent(10), evenings.serve(archive).state
    archive.close()
    return told, unsent, state


def test_an_evening_killed_at_any_instant_ends_as_an_undisturbed_one(undisturbed, tmp_path):
    """By kill -9 before the commit, before the publish, before its acknowledgement, anywhere."""
    killed = kills.evening(tmp_path, each=10, at_random=20, seed=5)

    assert killed[""] >= 15
    assert min(killed[point] for point in kills.POINTS) >= 10
    assert rows(tmp_path) == rows(undisturbed)
    assert rows(tmp_path)[1] == []
    assert heard(tmp_path) == heard(undisturbed)
    assert verify(tmp_path / "table.db", evenings.KEYS).holds


def test_what_a_subscriber_hears_is_what_the_journal_holds(undisturbed):
    """Every public and croupier event once, in order; and the evening did have closed cards."""
    told = heard(undisturbed)
    numbers = [name.split(b"-") for name, _ in told]

    for audience in (b"public", b"croupier"):
        seqs = [int(seq) for who, seq in numbers if who == audience]
        assert seqs == list(range(1, len(seqs) + 1))
    assert counting.CardDrawn.__struct_config__.tag.encode() in b"".join(body for _, body in told)
