"""Anything that a person or a sensor may say at a table, for hypothesis."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from table_controller.engine.chemin_de_fer import messages as m
from table_controller.engine.messages import (
    AlertAcknowledged,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Input,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.table import devices
from table_controller.rules.cards import PACK
from table_controller.rules.money import Chips

seats = st.integers(0, 13)
#: Seats, and the places of standing players.
places = st.one_of(seats, st.integers(100, 104))
chips = st.integers(0, 2000).map(Chips)
cards = st.sampled_from(PACK)
ids = st.text(string.ascii_lowercase + string.digits + "_-", min_size=1, max_size=12)
words = st.sampled_from(list(m.Word))
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
    DeviceLost: st.builds(DeviceLost, device=ids, why=texts),
    DeviceBack: st.builds(DeviceBack, device=ids),
    AlertAcknowledged: st.builds(AlertAcknowledged, alert=ids),
    devices.LidOpened: st.builds(devices.LidOpened),
    devices.LidClosed: st.builds(devices.LidClosed),
    devices.LidRuled: st.builds(devices.LidRuled, reason=texts),
    devices.CutCardSensed: st.builds(devices.CutCardSensed, ahead=st.integers(0, 60)),
    devices.PowerFailed: st.builds(devices.PowerFailed),
    devices.PowerBack: st.builds(devices.PowerBack),
    m.Sits: st.builds(m.Sits, seat=seats, name=texts, chips=chips),
    m.BuysIn: st.builds(m.BuysIn, seat=seats, chips=chips),
    m.Leaves: st.builds(m.Leaves, seat=seats),
    m.SchlittenLoaded: st.builds(m.SchlittenLoaded, shoe=ids),
    m.SchlittenClosed: st.builds(m.SchlittenClosed),
    m.Banks: st.builds(m.Banks, seat=seats, chips=chips),
    m.Passes: st.builds(m.Passes, seat=seats),
    m.Banco: st.builds(m.Banco, seat=seats),
    m.Spoke: st.builds(m.Spoke, seat=seats, word=words),
    m.Opened: st.builds(m.Opened, seat=seats),
    m.Paid: st.builds(m.Paid),
    m.StrayRuled: st.builds(m.StrayRuled, ruling=st.sampled_from(list(m.StrayRuling))),
    m.UnreadRuled: st.builds(m.UnreadRuled),
    m.WhiteRuled: st.builds(m.WhiteRuled, ruling=st.sampled_from(list(m.WhiteRuling))),
    m.Annulled: st.builds(m.Annulled, reason=texts),
    m.Stands: st.builds(m.Stands, name=texts, chips=chips),
    m.CashesOut: st.builds(m.CashesOut, seat=places, chips=chips),
    m.Tips: st.builds(m.Tips, seat=places, chips=chips),
    m.Moves: st.builds(m.Moves, seat=places, to=seats),
    m.Swaps: st.builds(m.Swaps, seat=seats, other=seats),
    m.Declares: st.builds(m.Declares, seat=seats, by_schlitten=st.booleans()),
    m.CroupierChanged: st.builds(m.CroupierChanged, name=texts),
    m.Prepared: st.builds(m.Prepared),
    m.ThrownAway: st.builds(m.ThrownAway, reason=texts),
    m.OpensBank: st.builds(m.OpensBank, seat=seats),
    m.Raises: st.builds(m.Raises, seat=seats, chips=chips),
    m.DrawsIn: st.builds(m.DrawsIn, seat=seats),
    m.Halves: st.builds(m.Halves, seat=seats),
    m.Joins: st.builds(m.Joins, seat=places, chips=chips),
    m.Suite: st.builds(m.Suite, seat=seats),
    m.Bids: st.builds(m.Bids, seat=places, chips=chips),
    m.Sold: st.builds(m.Sold),
    m.TakesOver: st.builds(m.TakesOver, seat=places),
    m.BancoWithPartner: st.builds(m.BancoWithPartner, seat=places, chips=chips, partner=places),
    m.BancoWithTable: st.builds(m.BancoWithTable, seat=places, chips=chips),
    m.OpenGame: st.builds(m.OpenGame),
    m.Stakes: st.builds(m.Stakes, seat=places, chips=chips, consent=st.booleans()),
    m.StakesAgain: st.builds(m.StakesAgain),
    m.Closes: st.builds(m.Closes),
    m.Declines: st.builds(m.Declines, seat=places),
    m.TakesUp: st.builds(m.TakesUp, seat=places),
    m.AsksSchlitten: st.builds(m.AsksSchlitten, seat=seats),
    m.Waited: st.builds(m.Waited),
    m.Exposed: st.builds(m.Exposed, seat=seats),
    m.Throws: st.builds(m.Throws, seat=seats),
    m.Misdealt: st.builds(m.Misdealt),
    m.PutRight: st.builds(m.PutRight),
    m.BankLoses: st.builds(m.BankLoses),
    m.AdmitsFaux: st.builds(m.AdmitsFaux, seat=seats),
    m.LetStand: st.builds(m.LetStand, reason=texts),
    m.Ticked: st.builds(m.Ticked, line=st.integers(0, 9)),
    m.TakesBack: st.builds(m.TakesBack),
    m.Corrects: st.builds(m.Corrects, ordinal=st.integers(1, 312), card=cards, reason=texts),
    m.Transfers: st.builds(m.Transfers, seat=places, to=places, chips=chips, reason=texts),
    m.Ruled: st.builds(m.Ruled, reason=texts),
}

inputs = st.one_of(list(INPUTS.values()))
