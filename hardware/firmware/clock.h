/* Time since the start: milliseconds for the link, half microseconds for the sensors. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint32_t clock_ms(void);

/* Half microseconds; it wraps after four years. */
uint64_t clock_ticks(void);

/* The same, low 32 bits, to be called with interrupts off. */
uint32_t clock_ticks_in_interrupt(void);

#endif
