/* Twelve RGB lamps, common cathode, on a chain of five 74HC595: output number seat * 3 + colour,
 * counted from QA of the first chip. Four outputs are unused. */
#include "lamps.h"
#include "spi.h"

enum { CHIPS = (SEATS * 3 + 7) / 8 };

u8 lamps_start(void)
{
    LOW(LAMP_LATCH);
    OUTPUT(LAMP_LATCH);
    HIGH(LAMP_ENABLE); /* active low: nothing is lit before the first latch */
    OUTPUT(LAMP_ENABLE);
    return LAMPS_HC595;
}

void lamps_show(const u8 colours[SEATS])
{
    u8 outputs[CHIPS], at = 0, bits = 0;
    u16 gathered = 0;
    for (u8 seat = 0; seat < SEATS; seat++) {
        gathered |= (u16)(colours[seat] << bits);
        bits += 3;
        if (bits >= 8) {
            outputs[at++] = gathered & 0xFF;
            gathered >>= 8;
            bits -= 8;
        }
    }
    outputs[at] = (u8)gathered; /* four bits; the other outputs are unused */
    for (u8 chip = CHIPS; chip--;) /* what is sent first goes farthest; QH first, QA last */
        spi_write(outputs[chip]);
    HIGH(LAMP_LATCH);
    LOW(LAMP_LATCH);
    LOW(LAMP_ENABLE);
}

void lamps_go_on(void) /* they share the displays' line */
{
}

void lamps_finish(void)
{
}
