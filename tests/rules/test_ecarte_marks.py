"""The worth of a deal of écarté, recited from the books and their examples."""

import pytest

from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.marks import DealCourse, marks, winner

E07 = House(id="e07", title="E07", game="ecarte", unit="K", seats=12)
E00 = House(id="e00", title="E00", game="ecarte", unit="K", seats=12, revoke_of_two="nothing")
EDE = House(
    id="ede", title="EDE", game="ecarte", unit="M", seats=12, revoke="open",
    revoke_of_two="nothing", false_king="unmarked",
)  # fmt: skip
EVERYWHERE = (E07, E00, EDE)
DEALER, ELDER = frozenset({"dealer"}), frozenset({"elder"})


@pytest.mark.parametrize("house", EVERYWHERE)
@pytest.mark.parametrize(
    ("deal", "dealer", "elder"),
    [
        (DealCourse(dealer=2, elder=3, exchanged=True), 0, 1),
        (DealCourse(dealer=5, elder=0, exchanged=True), 2, 0),
        (DealCourse(dealer=4, elder=1, authority=True), 2, 0),
        (DealCourse(dealer=5, elder=0, authority=True), 2, 0),
        (DealCourse(dealer=2, elder=3, authority=True), 0, 1),
        (DealCourse(dealer=2, elder=3, refused=True), 0, 2),
        (DealCourse(dealer=3, elder=2, refused=True), 1, 0),
        (DealCourse(dealer=2, elder=3, refused=True, exchanged=True), 0, 1),
        (DealCourse(dealer=2, elder=2), 0, 0),
    ],
)
def test_tricks(house, deal, dealer, elder):
    """E07-40, E07-41, E07-43, E00-40, E00-41, E00-43, EDE-17a, EDE-17b, EDE-17c, EDE-17d."""
    assert (marks(house, deal, "dealer"), marks(house, deal, "elder")) == (dealer, elder)


@pytest.mark.parametrize(
    ("house", "tricks", "dealer"),
    [
        (E07, 3, 0), (E07, 5, 1), (E00, 4, 0), (E00, 5, 1), (EDE, 3, 0), (EDE, 5, 1),
    ],
)  # fmt: skip
def test_revoke(house, tricks, dealer):
    """E07-44, E00-44, EDE-27: one for a vole, nothing for three or four tricks."""
    deal = DealCourse(dealer=tricks, elder=5 - tricks, exchanged=True, revoked=DEALER)

    assert marks(house, deal, "dealer") == dealer


@pytest.mark.parametrize(("house", "dealer"), [(E07, 1), (E00, 0), (EDE, 0)])
def test_revoke_of_who_is_entitled_to_two(house, dealer):
    """ER-9, ER-19: E07 one ("one point less"), E00 and EDE nothing."""
    deal = DealCourse(dealer=3, elder=2, authority=True, revoked=DEALER)

    assert marks(house, deal, "dealer") == dealer


def test_innocent_side_marks_as_usual():
    """E07-44, EDE-27: a revoke takes nothing from the opponent, and gives him nothing."""
    deal = DealCourse(dealer=2, elder=3, exchanged=True, revoked=DEALER)

    assert [marks(house, deal, "elder") for house in EVERYWHERE] == [1, 1, 1]


@pytest.mark.parametrize(
    ("deal", "dealer", "elder"),
    [
        (DealCourse(dealer=2, elder=3, exchanged=True, false_kings=ELDER), 1, 0),
        (DealCourse(dealer=3, elder=2, exchanged=True, false_kings=ELDER), 2, 0),
        (DealCourse(dealer=3, elder=2, authority=True, false_kings=ELDER), 3, 0),
        (DealCourse(dealer=3, elder=2, exchanged=True, false_kings=DEALER), 0, 1),
    ],
)
def test_false_king(deal, dealer, elder):
    """E07-29, E00-29: he loses the deal's marks, his opponent has one more; ER-2: not at EDE."""
    assert (marks(E07, deal, "dealer"), marks(E07, deal, "elder")) == (dealer, elder)
    assert (marks(E00, deal, "dealer"), marks(E00, deal, "elder")) == (dealer, elder)
    assert marks(EDE, deal, winner(deal)) >= 1
