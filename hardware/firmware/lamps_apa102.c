/* Twelve APA102 or SK9822 in a chain, bit-banged on two pins of their own. They have no select line,
 * so they cannot share the clocked line with the digits: data is on LAMP_LATCH, clock on
 * LAMP_ENABLE, the pins of the other build. The clock may pause at any time, so interrupts stay on. */
#include "io.h"
#include "lamps.h"


enum {
    BRIGHTNESS = 8, /* of 31: twelve white lamps take about 190 mA, from the supply's rail */
    FULL = 0xFF,
    END_BYTES = 5, /* an SK9822 wants 32 zeros and half a clock for each lamp: 38 bits */
};

/* Behind 330 ohms the far end of a 3 m wire needs 210 ns to see an edge: half a microsecond for each
 * half of the clock, as on the other clocked line. */
static inline void settle(void)
{
    __builtin_avr_delay_cycles(F_CPU / 2000000);
}

static void clock_out(u8 byte)
{
    for (u8 bit = 0x80; bit; bit >>= 1) {
        if (byte & bit)
            HIGH(LAMP_LATCH);
        else
            LOW(LAMP_LATCH);
        settle();
        HIGH(LAMP_ENABLE);
        settle();
        LOW(LAMP_ENABLE);
    }
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
    for (u8 i = 0; i < 4; i++)
        clock_out(0); /* start frame */
    for (u8 seat = 0; seat < SEATS; seat++) {
        u8 colour = colours[seat];
        clock_out(0xE0 | BRIGHTNESS);
        clock_out(colour & 4 ? FULL : 0);
        clock_out(colour & 2 ? FULL : 0);
        clock_out(colour & 1 ? FULL : 0);
    }
    for (u8 i = 0; i < END_BYTES; i++)
        clock_out(0);
}
