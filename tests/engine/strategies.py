"""Anything that a person or a sensor may say at a table, for hypothesis."""

from __future__ import annotations

import string
from typing import get_args

from hypothesis import strategies as st

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.messages import (
    AlertAcknowledged,
    Booted,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Input,
    Restored,
    Role,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.table import devices, persons
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import PACK
from table_controller.rules.money import Chips

seats = st.integers(0, 13)
#: Seats, and the places of standing players.
places = st.one_of(seats, st.integers(100, 104))
chips = st.integers(0, 2000).map(Chips)
cards = st.sampled_from(PACK)
ids = st.text(string.ascii_lowercase + string.digits + "_-", min_size=1, max_size=12)
words = st.sampled_from(list(i.Word))
#: What people write: any signs that fit a line.
texts = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20)

#: Every kind of input, from fields that need not make sense now.
INPUTS: dict[type[Input], st.SearchStrategy[Input]] = {
    CardSeen: st.one_of(
        st.builds(CardSeen, card=cards, copy=st.integers(0, 9)),
        st.builds(CardSeen, unknown=st.sampled_from(list(Unknown))),
        st.just(CardSeen(white=True)),
    ),
    CardNamed: st.builds(CardNamed, card=cards),
    Booted: st.builds(Booted, boot=st.text("0123456789abcdef", min_size=1)),
    Restored: st.just(Restored()),
    DeviceLost: st.builds(DeviceLost, device=ids, why=texts),
    DeviceBack: st.builds(DeviceBack, device=ids),
    AlertAcknowledged: st.builds(AlertAcknowledged, alert=ids),
    **{kind: st.builds(kind) for kind in get_args(devices.Sensed)},
    devices.LidRuled: st.builds(devices.LidRuled, reason=texts),
    devices.CutCardSensed: st.builds(devices.CutCardSensed, ahead=st.integers(0, 60)),
    persons.PersonAdded: st.builds(
        persons.PersonAdded, name=ids, role=st.sampled_from(list(Role)), proof=ids
    ),
    persons.PersonRemoved: st.builds(persons.PersonRemoved, name=ids),
    persons.AccountAdded: st.builds(persons.AccountAdded, name=ids, account=ids, proof=ids),
    persons.AccountRemoved: st.builds(persons.AccountRemoved, account=ids),
    persons.SignedIn: st.builds(persons.SignedIn),
    persons.SignInRefused: st.builds(persons.SignInRefused, name=ids),
    ti.Sits: st.builds(ti.Sits, seat=seats, name=texts, chips=chips),
    ti.BuysIn: st.builds(ti.BuysIn, seat=seats, chips=chips),
    ti.Leaves: st.builds(ti.Leaves, seat=seats),
    ti.SchlittenLoaded: st.builds(ti.SchlittenLoaded, shoe=ids),
    ti.ReadingCounted: st.builds(
        ti.ReadingCounted,
        shoe=ids,
        **dict.fromkeys(
            ("passages", "cards", "retries", "agreed", "rejected", "gaps"), st.integers(0, 400)
        ),
    ),
    ti.SchlittenClosed: st.builds(ti.SchlittenClosed),
    i.Banks: st.builds(i.Banks, seat=seats, chips=chips),
    i.Passes: st.builds(i.Passes, seat=seats),
    i.Banco: st.builds(i.Banco, seat=seats),
    i.Spoke: st.builds(i.Spoke, seat=seats, word=words),
    i.Opened: st.builds(i.Opened, seat=seats),
    ti.Paid: st.builds(ti.Paid),
    ti.StrayRuled: st.builds(ti.StrayRuled, ruling=st.sampled_from(list(ti.StrayRuling))),
    ti.UnreadRuled: st.builds(ti.UnreadRuled),
    ti.UnreadBurned: st.builds(ti.UnreadBurned, reason=texts),
    ti.WhiteRuled: st.builds(ti.WhiteRuled, ruling=st.sampled_from(list(ti.WhiteRuling))),
    ti.Annulled: st.builds(ti.Annulled, reason=texts),
    ti.Stands: st.builds(ti.Stands, name=texts, chips=chips),
    ti.CashesOut: st.builds(ti.CashesOut, seat=places, chips=chips),
    ti.Tips: st.builds(ti.Tips, seat=places, chips=chips),
    ti.Moves: st.builds(ti.Moves, seat=places, to=seats),
    ti.Swaps: st.builds(ti.Swaps, seat=seats, other=seats),
    i.Declares: st.builds(i.Declares, seat=seats, by_schlitten=st.booleans()),
    ti.CroupierChanged: st.builds(ti.CroupierChanged, name=texts),
    ti.Prepared: st.builds(ti.Prepared),
    ti.ThrownAway: st.builds(ti.ThrownAway, reason=texts),
    i.OpensBank: st.builds(i.OpensBank, seat=seats),
    i.Raises: st.builds(i.Raises, seat=seats, chips=chips),
    i.DrawsIn: st.builds(i.DrawsIn, seat=seats),
    i.Halves: st.builds(i.Halves, seat=seats),
    i.Joins: st.builds(i.Joins, seat=places, chips=chips),
    i.Suite: st.builds(i.Suite, seat=seats),
    i.Bids: st.builds(i.Bids, seat=places, chips=chips),
    i.Sold: st.builds(i.Sold),
    i.TakesOver: st.builds(i.TakesOver, seat=places),
    i.BancoWithPartner: st.builds(i.BancoWithPartner, seat=places, chips=chips, partner=places),
    i.BancoWithTable: st.builds(i.BancoWithTable, seat=places, chips=chips),
    i.OpenGame: st.builds(i.OpenGame),
    i.Stakes: st.builds(i.Stakes, seat=places, chips=chips, consent=st.booleans()),
    i.StakesAgain: st.builds(i.StakesAgain),
    ti.Closes: st.builds(ti.Closes),
    i.Declines: st.builds(i.Declines, seat=places),
    i.TakesUp: st.builds(i.TakesUp, seat=places),
    i.AsksSchlitten: st.builds(i.AsksSchlitten, seat=seats),
    i.Waited: st.builds(i.Waited),
    i.Exposed: st.builds(i.Exposed, seat=seats),
    i.Throws: st.builds(i.Throws, seat=seats),
    ti.Misdealt: st.builds(ti.Misdealt),
    i.PutRight: st.builds(i.PutRight),
    i.BankLoses: st.builds(i.BankLoses),
    i.AdmitsFaux: st.builds(i.AdmitsFaux, seat=seats),
    i.LetStand: st.builds(i.LetStand, reason=texts),
    i.CardCounts: st.builds(i.CardCounts, reason=texts),
    ti.Ticked: st.builds(ti.Ticked, line=st.integers(0, 9)),
    ti.TakesBack: st.builds(ti.TakesBack),
    ti.Corrects: st.builds(ti.Corrects, ordinal=st.integers(1, 312), card=cards, reason=texts),
    ti.Transfers: st.builds(ti.Transfers, seat=places, to=places, chips=chips, reason=texts),
    ti.Ruled: st.builds(ti.Ruled, reason=texts),
}

inputs = st.one_of(list(INPUTS.values()))
