"""`python -m table_controller` is the command `schlitten`."""

from table_controller.cli import main

main()
