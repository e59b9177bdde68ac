/* The seat lamps, in one of two builds: lamps_hc595.c or lamps_apa102.c (make LAMPS=apa102). */
#ifndef LAMPS_H
#define LAMPS_H

#include "wire.h"

enum { LAMPS_HC595 = 0, LAMPS_APA102 = 1 }; /* as messages.py numbers them */

/* Lamps are dark until the first lamps_show. Returns which build this is. */
u8 lamps_start(void);

/* Show one colour (bits red, green, blue) per seat, all at the same moment. */
void lamps_show(const u8 colours[SEATS]);

/* What has its own line may go on while the other line carries a byte to the displays: a byte. */
void lamps_go_on(void);

/* What is left of lamps_show. */
void lamps_finish(void);

#endif
