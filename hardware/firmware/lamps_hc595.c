/* Twelve RGB lamps, common cathode, on five 74HC595 in a chain: output number seat * 3 + colour,
 * counted from QA of the first chip. Four outputs stay free. */
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
    u8 outputs[CHIPS] = {0};
    for (u8 bit = 0; bit < SEATS * 3; bit++)
        if (colours[bit / 3] >> bit % 3 & 1)
            outputs[bit / 8] |= (u8)(1 << bit % 8);
    for (u8 chip = CHIPS; chip--;) /* what is sent first goes furthest; QH first, QA last */
        spi_write(outputs[chip]);
    HIGH(LAMP_LATCH);
    LOW(LAMP_LATCH);
    LOW(LAMP_ENABLE);
}
