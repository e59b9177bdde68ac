/* Time since the start: milliseconds for the link, half microseconds for the sensors. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);
uint32_t clock_ms(void);

/* Half microseconds; it wraps after four years. */
uint64_t clock_ticks(void);

/* The same, its low 32 bits; call with interrupts off. */
uint32_t clock_ticks_in_interrupt(void);

#endif
