/* The clocked line to lamps and digits: 1 MHz, most significant bit first. The chips could take ten
 * times as much, but on metres of wire every bit needs time to stop ringing. Never waits for a
 * device and never turns interrupts off. */
#ifndef SPI_H
#define SPI_H

#include "io.h"
#include "lamps.h"

static inline void spi_start(void)
{
    HIGH(DIGITS_LOAD); /* before it is an output: a short low pulse would load the displays */
    OUTPUT(DIGITS_LOAD); /* also the chip's SS: as an input it could end master mode */
    OUTPUT(MOSI);
    OUTPUT(SCK);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR0); /* F_CPU / 16, mode 0 */
}

static inline void spi_write(uint8_t byte)
{
    SPDR = byte;
    lamps_go_on();
    while (!(SPSR & _BV(SPIF)))
        ;
}

#endif
