"""The unions of the inputs and of the events of every table. A game's unions begin with these."""

from __future__ import annotations

from table_controller.engine import messages as m
from table_controller.engine.table import devices as d
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.engine.table import persons as tp

TableInput = (
    m.Booted | m.Restored
    | m.CardSeen | m.CardNamed | m.DeviceLost | m.DeviceBack | m.AlertAcknowledged
    | d.Sensed | d.LidRuled
    | ti.Sits | ti.Stands | ti.BuysIn | ti.CashesOut | ti.Tips | ti.Leaves | ti.Moves | ti.Swaps
    | ti.CroupierChanged | ti.Prepared | ti.SchlittenLoaded | ti.SchlittenClosed
    | ti.ReadingCounted | ti.StrayRuled
    | ti.UnreadRuled | ti.TakesBack | ti.Annulled | ti.Transfers | ti.Ruled | tp.PersonInput
)  # fmt: skip

TableEvent = (
    m.AlertRaised | m.AlertDetailed | m.AlertSeen | m.AlertCleared | m.Refused
    | d.Noted
    | te.PlayerSat | te.PlayerLeft | te.BalanceChanged | te.SeatChanged | te.StaffChanged
    | te.SchlittenReady | te.CardDrawn | te.CardIdentified | te.CardUnread | te.CardOpened
    | te.CardRemoved | te.WhiteCardOut | te.LastCoup | te.SchlittenCounted
    | te.SchlittenWithdrawn | te.Withdrawn | te.Moved | te.RulingNoted | te.ReadingNoted
    | tp.PersonEvent
)  # fmt: skip

#: The same for games that play many coups from one Schlitten.
CoupInput = (
    ti.Closes
    | ti.Misdealt
    | ti.Ticked
    | ti.Paid
    | ti.ThrownAway
    | ti.WhiteRuled
    | ti.Corrects
    | ti.UnreadBurned
)
CoupEvent = (
    te.Misdeal | te.MisdealMended | te.PaymentMade | te.CoupPaid | te.CoupAnnulled
    | te.CardCorrected | te.CardMoved | te.SchlittenOver
)  # fmt: skip
