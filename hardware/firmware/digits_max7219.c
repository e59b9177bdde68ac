#include <string.h>

#include "digits.h"
#include "spi.h"

enum { DECODE_MODE = 9, INTENSITY, SCAN_LIMIT, SHUTDOWN, DISPLAY_TEST = 15 };
enum { DARK = 0, SHINE = 1 };

/* By display. The first picture, the dashes of the safe one, differs from this in every digit. */
static u8 shown[2][DIGITS];

static void write(u8 address, u8 display_1, u8 display_2)
{
    LOW(DIGITS_LOAD);
    spi_write(address); /* what is sent first goes to the farther display */
    spi_write(display_2);
    spi_write(address);
    spi_write(display_1);
    HIGH(DIGITS_LOAD);
}

static void write_digit(u8 i)
{
    write(DIGITS - i, shown[0][i], shown[1][i]); /* the chip's digit 1 is the rightmost */
}

static void set_up(void)
{
    write(DISPLAY_TEST, 0, 0);
    write(DECODE_MODE, 0, 0);
    write(SCAN_LIMIT, DIGITS - 1, DIGITS - 1);
    write(INTENSITY, MAX7219_INTENSITY, MAX7219_INTENSITY);
}

void digits_refresh(void)
{
    set_up();
    for (u8 i = 0; i < DIGITS; i++)
        write_digit(i);
    write(SHUTDOWN, SHINE, SHINE);
}

void digits_start(void)
{
    spi_start();
    write(SHUTDOWN, DARK, DARK); /* after a restart the displays still show the old picture */
    set_up();
}

void digits_show(const u8 display_1[DIGITS], const u8 display_2[DIGITS])
{
    if (!memcmp(shown[0], display_1, DIGITS) && !memcmp(shown[1], display_2, DIGITS))
        return;
    write(SHUTDOWN, DARK, DARK);
    for (u8 i = 0; i < DIGITS; i++) {
        if (shown[0][i] == display_1[i] && shown[1][i] == display_2[i])
            continue;
        shown[0][i] = display_1[i];
        shown[1][i] = display_2[i];
        write_digit(i);
    }
    write(SHUTDOWN, SHINE, SHINE);
}
