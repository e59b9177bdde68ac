"""The rules that only punto banco has: its houses, its table of draws, its bets, its roads."""
