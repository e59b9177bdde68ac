/* The clocked line to lamps and digits: 4 MHz, most significant bit first. Never waits for a
 * device and never turns interrupts off. */
#ifndef SPI_H
#define SPI_H

#include "io.h"

static inline void spi_start(void)
{
    HIGH(DIGITS_LOAD); /* before it is an output: a short low would load what is in the displays */
    OUTPUT(DIGITS_LOAD); /* also the chip's SS: an input there would end master mode */
    OUTPUT(MOSI);
    OUTPUT(SCK);
    PULL_UP(MISO);
    SPCR = _BV(SPE) | _BV(MSTR); /* F_CPU / 4, mode 0 */
}

static inline void spi_write(uint8_t byte)
{
    SPDR = byte;
    while (!(SPSR & _BV(SPIF)))
        ;
}

#endif
