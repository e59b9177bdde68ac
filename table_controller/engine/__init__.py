"""Pure state machines: `step(state, input) -> (state, events)`. No clock, device, log or chance."""
