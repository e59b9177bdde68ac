"""Pure state machines: `step(state, input) -> (state, events)`.

They use no clock, no device, no log and no random numbers.
"""
