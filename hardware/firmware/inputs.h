/* Buttons and the shoe's sensors: reports every change once, with the time of its first edge. */
#ifndef INPUTS_H
#define INPUTS_H

#include "wire.h"

void inputs_start(void);

/* To be called at least once a millisecond. Keeps about.pressed and about.active. */
void inputs_poll(u32 now_ms);

#endif
