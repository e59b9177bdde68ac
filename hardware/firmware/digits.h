/* Two displays of eight digits, a MAX7219 each, in a chain: the pot's is the nearer one. */
#ifndef DIGITS_H
#define DIGITS_H

#include "wire.h"

void digits_start(void);

/* Show segments, the leftmost digit first. The displays are dark for the 0.4 ms at most that the
 * change takes: half of one number and half of another is never seen. */
void digits_show(const u8 pot[DIGITS], const u8 stakes[DIGITS]);

/* Say everything again, which mends a display that lost its supply for a moment. */
void digits_refresh(void);

#endif
