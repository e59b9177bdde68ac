"""Pure state machines: `step(state, input) -> (state, events)`.

They use no clock, device, log or chance.
"""
