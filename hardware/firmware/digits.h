/* Two displays of eight digits, each with a MAX7219, in a chain: display 1 is the nearer one. */
#ifndef DIGITS_H
#define DIGITS_H

#include "wire.h"

void digits_start(void);

/* Show segments, the leftmost digit first. The displays are dark during the change, 0.5 ms at most,
 * so that half of one number is never seen with half of another. */
void digits_show(const u8 display_1[DIGITS], const u8 display_2[DIGITS]);

/* Send everything again, which restores a display that lost its supply for a moment. */
void digits_refresh(void);

#endif
