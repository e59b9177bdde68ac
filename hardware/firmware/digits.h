/* Two displays of eight digits, a MAX7219 each, in a chain: display 1 is the nearer one. */
#ifndef DIGITS_H
#define DIGITS_H

#include "wire.h"

void digits_start(void);

/* Show segments, the leftmost digit first. The displays are dark for the 0.4 ms at most that the
 * change takes: half of one number and half of another is never seen. */
void digits_show(const u8 display_1[DIGITS], const u8 display_2[DIGITS]);

/* Say everything again, which mends a display that lost its supply for a moment. */
void digits_refresh(void);

#endif
