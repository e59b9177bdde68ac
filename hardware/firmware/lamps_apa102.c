/* Twelve APA102 or SK9822 in a chain, bit-banged on two pins of their own. They have no select line,
 * so they cannot share the clocked line with the digits: data is on LAMP_LATCH, clock on
 * LAMP_ENABLE, the pins of the other build. The clock may pause at any time, so interrupts stay on. */
#include "io.h"
#include "lamps.h"

enum {
    FULL = 0xFF,
    START_BYTES = 4,
    END_BYTES = 5, /* an SK9822 wants 32 zeros and half a clock for each lamp: 38 bits */
    FRAME = START_BYTES + 4 * SEATS + END_BYTES,
};

static u8 frame[FRAME], sent = FRAME; /* its first and last bytes are always zeros */

/* Behind 330 ohms the far end of a 3 m wire needs 210 ns to see an edge: half a microsecond for each
 * half of the clock, as on the other clocked line. The instruction that moves the pin takes two
 * cycles of it. */
static inline void settle(void)
{
    __builtin_avr_delay_cycles(F_CPU / 2000000 - 2);
}

/* Unrolled, as a loop's own instructions would take a third of the time. */
static void clock_out(u8 byte)
{
#define BIT(mask) \
    if (byte & mask) \
        HIGH(LAMP_LATCH); \
    else \
        LOW(LAMP_LATCH); \
    settle(); \
    HIGH(LAMP_ENABLE); \
    settle(); \
    LOW(LAMP_ENABLE);
    BIT(0x80) BIT(0x40) BIT(0x20) BIT(0x10) BIT(0x08) BIT(0x04) BIT(0x02) BIT(0x01)
#undef BIT
}

u8 lamps_start(void)
{
    LOW(LAMP_LATCH);
    OUTPUT(LAMP_LATCH);
    LOW(LAMP_ENABLE);
    OUTPUT(LAMP_ENABLE);
    return LAMPS_APA102;
}

void lamps_show(const u8 colours[SEATS])
{
    u8 *at = frame + START_BYTES;
    for (u8 seat = 0; seat < SEATS; seat++) {
        u8 colour = colours[seat];
        *at++ = 0xE0 | APA102_BRIGHTNESS;
        *at++ = colour & 4 ? FULL : 0;
        *at++ = colour & 2 ? FULL : 0;
        *at++ = colour & 1 ? FULL : 0;
    }
    sent = 0;
}

void lamps_go_on(void)
{
    if (sent < FRAME)
        clock_out(frame[sent++]);
}

void lamps_finish(void)
{
    while (sent < FRAME)
        lamps_go_on();
}
