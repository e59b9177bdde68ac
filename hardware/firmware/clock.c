#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static volatile uint32_t milliseconds;
static volatile uint32_t turns; /* of timer 1, each 65536 ticks */

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
}

ISR(TIMER1_OVF_vect)
{
    turns++;
}

void clock_start(void)
{
    TCCR0A = _BV(WGM01); /* clear on compare */
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00); /* F_CPU / 64 */
    TIMSK1 = _BV(TOIE1);
    TCCR1B = _BV(CS11); /* F_CPU / 8: two ticks a microsecond at 16 MHz */
}

uint32_t clock_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = milliseconds;
    }
    return now;
}

/* The timer may have overflowed after interrupts went off: then its flag is set. */
static uint32_t read_turns(uint16_t *count)
{
    *count = TCNT1;
    if (TIFR1 & _BV(TOV1)) {
        *count = TCNT1;
        return turns + 1;
    }
    return turns;
}

uint32_t clock_ticks_in_interrupt(void)
{
    uint16_t count;
    uint32_t turn = read_turns(&count);
    return turn << 16 | count;
}

uint64_t clock_ticks(void)
{
    uint16_t count;
    uint32_t turn;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        turn = read_turns(&count);
    }
    return (uint64_t)turn << 16 | count;
}
