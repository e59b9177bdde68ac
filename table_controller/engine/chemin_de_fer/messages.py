"""Everything that is said at a chemin de fer table, and told of it: inputs and events."""

from table_controller.engine.chemin_de_fer.events import *
from table_controller.engine.chemin_de_fer.inputs import *
