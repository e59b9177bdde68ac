"""Everything that is said at a chemin de fer table, and told of it: inputs and events."""

from table_controller.engine.chemin_de_fer.events import *  # noqa: F403 - a facade of two files
from table_controller.engine.chemin_de_fer.inputs import *  # noqa: F403
