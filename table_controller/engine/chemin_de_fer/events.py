"""What comes of the inputs of a chemin de fer table, and who may know."""

from __future__ import annotations

from table_controller.engine import messages as common
from table_controller.engine.chemin_de_fer.events_coup import *
from table_controller.engine.chemin_de_fer.events_table import *
from table_controller.engine.table import devices

CheminDeFerEvent = (
    common.AlertRaised
    | common.AlertDetailed
    | common.AlertSeen
    | common.AlertCleared
    | common.Refused
    | devices.LidNoted
    | devices.CutCardNoted
    | devices.PowerNoted
    | PlayerSat
    | PlayerLeft
    | BalanceChanged
    | SchlittenReady
    | BankPosted
    | SchlittenPassed
    | PointeurNamed
    | CardDrawn
    | CardIdentified
    | CardUnread
    | CardOpened
    | CardRemoved
    | Said
    | HandOpened
    | Advised
    | WhiteCardOut
    | LastCoup
    | CoupSettled
    | CoupAnnulled
    | CoupPaid
    | SchlittenOver
    | SchlittenCounted
    | SeatChanged
    | Declared
    | StaffChanged
    | BankOpened
    | PotChanged
    | PartnerJoined
    | AuctionBegun
    | BidMade
    | BankSold
    | GameOpened
    | StakeLaid
    | StakesClosed
    | PartOffered
    | CardsTakenUp
    | Answered
    | HandThrown
    | FauxTirage
    | ClaimFailed
    | Misdeal
    | MisdealMended
    | PaymentMade
    | Withdrawn
    | CardCorrected
    | Moved
    | RulingNoted
)
