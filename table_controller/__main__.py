"""`python -m table_controller` is the command `schlitten`."""

from table_controller.commands.cli import main

main()
