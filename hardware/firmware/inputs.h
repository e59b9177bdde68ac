/* Buttons and the shoe's sensors: reports every change once. A sensor's time is that of its first
 * edge; a button's that of the look, once a millisecond, from which on it stayed. */
#ifndef INPUTS_H
#define INPUTS_H

#include "wire.h"

void inputs_start(void);

/* To be called at least once a millisecond. Keeps about.pressed and about.active. */
void inputs_poll(u32 now_ms);

#endif
