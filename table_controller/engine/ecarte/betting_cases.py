"""Lists the inputs about stakes, chouettes and banks by phase. `step.py` lists the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_controller.engine.ecarte import again, auction, chouette, settle, stakes
from table_controller.engine.ecarte import betting_inputs as i
from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.inputs import Onward
from table_controller.engine.messages import Phrase, phrase

#: Phases in which the giver may still allow a stake, since no card is out yet (E07-7, E00-6).
STAKED: Final = (p.StakesDue, p.CutDue, p.NoSchlitten)

#: What taking back calls the commonest of these inputs.
CALLED: Final[dict[type, Phrase]] = {
    i.Draws: phrase("draws for the order"),
    i.GivesChouette: phrase("open chouette"),
    i.CallsAuction: phrase("auction"),
    i.BidsFor: phrase("makes a bid"),
    i.KnockedDown: phrase("knocked down"),
    i.LaysBank: phrase("lays a bank"),
    i.Stakes: phrase("the stake"),
    i.StakesAgain: phrase("the same stakes again"),
    i.StakeWithdrawn: phrase("takes his stake back"),
    i.StakesOutside: phrase("stakes outside the bank"),
    i.CutsStakes: phrase("cut the last stakes"),
    i.ClosesStakes: phrase("rien ne va plus"),
    i.Renounces: phrase("renounces"),
    i.PartieHeld: phrase("le coup est tenu"),
    i.PartieDeclined: phrase("withdraws from this partie"),
    i.TakesShare: phrase("shares in it"),
    i.HoldsCards: phrase("holds the cards"),
    i.RaisesBank: phrase("raise the bank"),
    i.HalvesBank: phrase("halve the bank"),
    i.RenewsBank: phrase("a fresh bank"),
    i.GivesUp: phrase("gives it up"),
    i.GoesOn: phrase("goes on"),
}

CASES: Final[dict[tuple[type, type], Callable[[s.Table, Any, Any], s.Step]]] = {
    # Who plays
    (p.PlayersDue, i.Draws): chouette.draws,
    (p.PlayersDue, i.TwoSides): chouette.two_sides,
    (p.PlayersDue, i.GivesChouette): chouette.gives,
    (p.PlayersDue, i.CallsAuction): auction.calls_auction,
    (p.PlayersDue, i.LaysBank): auction.lays_bank,
    (p.PlayersDue, i.WillNotGoOn): chouette.lays_none,
    (p.Auction, i.BidsFor): auction.bids,
    (p.Auction, i.KnockedDown): auction.knocked_down,
    (p.Auction, i.WillNotGoOn): chouette.will_not,
    (p.Succession, i.GoesOn): chouette.goes_on,
    (p.Succession, i.WillNotGoOn): chouette.will_not,
    (p.Succession, i.LaysBank): auction.lays_bank,
    # The stakes
    **{(phase, i.Stakes): stakes.stakes for phase in STAKED},
    **{(phase, i.StakeWithdrawn): stakes.withdrawn for phase in STAKED},
    (p.StakesDue, i.StakesAgain): again.stakes_again,
    (p.StakesDue, i.HoldsRest): stakes.holds_rest,
    (p.StakesDue, i.CutsStakes): stakes.cuts,
    (p.StakesDue, i.StakesOutside): stakes.outside,
    (p.StakesDue, i.ClosesStakes): stakes.closes,
    (p.StakesDue, i.LetsIn): stakes.lets_in,
    (p.StakesDue, i.StaysOut): stakes.stays_out,
    (p.StakesDue, i.Renounces): chouette.renounces,
    (p.StakesDue, i.PartieHeld): stakes.held,
    (p.StakesDue, i.PartieDeclined): stakes.declined,
    # The giver's side
    (p.StakesDue, i.TakesShare): chouette.takes_share,
    (p.StakesDue, i.HoldsCards): chouette.holds_cards,
    (p.StakesDue, i.RaisesBank): auction.raises,
    (p.StakesDue, i.HalvesBank): auction.halves,
    (p.StakesDue, i.RenewsBank): auction.renews,
    (p.StakesDue, i.GivesUp): chouette.gives_up,
    # After a partie
    (p.PartieOver, i.StakeFound): settle.stake_found,
    (p.PartieOver, Onward): settle.settled,
}
