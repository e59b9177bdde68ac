"""The rules specific to punto banco: its houses, its drawing table, its bets, its roads."""
