"""Everything that people and sensors may say at a chemin de fer table."""

from __future__ import annotations

from table_controller.engine import messages as common
from table_controller.engine.chemin_de_fer.inputs_coup import *
from table_controller.engine.chemin_de_fer.inputs_table import *
from table_controller.engine.table import devices

CheminDeFerInput = (
    common.CardSeen
    | common.CardNamed
    | common.DeviceLost
    | common.DeviceBack
    | common.AlertAcknowledged
    | devices.LidOpened
    | devices.LidClosed
    | devices.LidRuled
    | devices.CutCardSensed
    | devices.PowerFailed
    | devices.PowerBack
    | Sits
    | Stands
    | BuysIn
    | CashesOut
    | Tips
    | Leaves
    | Moves
    | Swaps
    | Declares
    | CroupierChanged
    | Prepared
    | SchlittenLoaded
    | SchlittenClosed
    | ThrownAway
    | Banks
    | OpensBank
    | Passes
    | Raises
    | DrawsIn
    | Halves
    | Joins
    | Suite
    | Bids
    | Sold
    | TakesOver
    | Banco
    | BancoWithPartner
    | BancoWithTable
    | OpenGame
    | Stakes
    | StakesAgain
    | Closes
    | Declines
    | TakesUp
    | Spoke
    | Opened
    | AsksSchlitten
    | Waited
    | Exposed
    | Throws
    | Misdealt
    | PutRight
    | BankLoses
    | AdmitsFaux
    | LetStand
    | Paid
    | Ticked
    | StrayRuled
    | UnreadRuled
    | WhiteRuled
    | TakesBack
    | Annulled
    | Corrects
    | Transfers
    | Ruled
)
