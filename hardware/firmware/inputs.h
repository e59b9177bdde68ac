/* Buttons and the shoe's sensors: reports every change once. A sensor's time is that of its first
 * edge; a button's is that of the poll, once a millisecond, that first saw its new level. */
#ifndef INPUTS_H
#define INPUTS_H

#include "wire.h"

void inputs_start(void);

/* Call at least once a millisecond. Keeps about.pressed and about.active up to date. */
void inputs_poll(u32 now_ms);

#endif
