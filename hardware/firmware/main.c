/* The table board: shows what it is told to, reports its inputs, and goes dark if it hears nothing
 * for a second. Reference: Arduino Nano (ATmega328P, 16 MHz). Interrupts are never off for longer
 * than a few instructions, so no byte of the line is lost. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "digits.h"
#include "inputs.h"
#include "io.h"
#include "lamps.h"
#include "link.h"
#include "show.h"
#include "uart.h"

enum { CAUSE_UNKNOWN, CAUSE_POWER_ON, CAUSE_RESET_LINE, CAUSE_BROWN_OUT, CAUSE_WATCHDOG };
enum { REFRESH_MS = 1000 };

/* Counts starts, so that the host notices one. After a torn write any other value will do. */
static uint32_t EEMEM starts;

/* The reset flags: MCUSR or, if a boot loader has cleared it, what optiboot leaves in r2. */
static uint8_t reset_flags __attribute__((section(".noinit")));
static uint8_t left_in_r2 __attribute__((section(".noinit")));

void keep_r2(void) __attribute__((naked, used, section(".init0")));
void keep_r2(void)
{
    __asm__ volatile("sts %0, r2" : : "i"(&left_in_r2));
}

/* After a watchdog reset the watchdog still runs, with its shortest timeout. */
void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));
void keep_reset_flags(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

static u8 cause_of_start(void)
{
    u8 flags = reset_flags ? reset_flags : left_in_r2 <= 0x0F ? left_in_r2 : 0;
    if (flags & _BV(PORF)) /* sets the others too */
        return CAUSE_POWER_ON;
    if (flags & _BV(BORF))
        return CAUSE_BROWN_OUT;
    if (flags & _BV(WDRF))
        return CAUSE_WATCHDOG;
    return flags & _BV(EXTRF) ? CAUSE_RESET_LINE : CAUSE_UNKNOWN;
}

static u32 count_start(void)
{
    u32 count = eeprom_read_dword(&starts) + 1;
    eeprom_update_dword(&starts, count);
    return count;
}

static void show_digits(const struct picture *picture)
{
    u8 display_1[DIGITS], display_2[DIGITS];
    if (picture) {
        show_number(picture->display_1, display_1);
        show_number(picture->display_2, display_2);
    } else {
        memset(display_1, SEGMENTS_MINUS, DIGITS);
        memset(display_2, SEGMENTS_MINUS, DIGITS);
    }
    digits_show(display_1, display_2);
}

static void show_buzzing(const struct picture *picture, u32 now_ms)
{
    static u8 pattern;
    static u32 since_ms;
    u8 asked = picture ? picture->buzzer : BUZZER_OFF;
    if (asked != pattern) {
        pattern = asked;
        since_ms = now_ms;
    }
    if (pattern == BUZZER_ALARM || now_ms - since_ms < PHASES * PHASE_MS) {
        if (show_buzzer(pattern, now_ms - since_ms))
            HIGH(BUZZER);
        else
            LOW(BUZZER);
    }
}

/* The digits are also refreshed every second, in case one lost its supply for a moment. */
static void show(u32 now_ms)
{
    static u8 shown_phase;
    static u32 refreshed_ms;
    u8 phase = now_ms / PHASE_MS % PHASES;
    if (link_has_news || phase != shown_phase) {
        u8 colours[SEATS];
        shown_phase = phase;
        show_lamps(link_picture, phase, colours);
        lamps_show(colours);
    }
    if (link_has_news) {
        link_has_news = false;
        show_digits(link_picture);
    } else if (now_ms - refreshed_ms >= REFRESH_MS) {
        refreshed_ms = now_ms;
        digits_refresh();
    }
    lamps_finish();
    show_buzzing(link_picture, now_ms);
}

static void start(void)
{
    digits_start();
    about.lamps = lamps_start();
    about.cause = cause_of_start();
    OUTPUT(BUZZER);
    inputs_start();
    clock_start();
    link_has_news = true;
    show(0); /* the safe picture, at once */
    u32 boot_id = count_start();
    wdt_enable(WDTO_250MS);
    set_sleep_mode(SLEEP_MODE_IDLE);
    uart_start();
    sei();
    link_start(boot_id);
}

/* Sleep until a byte, an edge or the next millisecond. It never sleeps through a byte that arrived
 * since the last check: sleep begins one instruction after interrupts are enabled. */
static void rest(void)
{
    cli();
    if (uart_is_waiting()) {
        sei();
        return;
    }
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
}

int main(void)
{
    start();
    u32 shown_ms = 0;
    for (;;) {
        u8 byte;
        u32 now_ms = clock_ms();
        wdt_reset();
        while (uart_read(&byte))
            link_receive(byte, now_ms);
        about.overruns = uart_overruns();
        inputs_poll(now_ms);
        link_poll(now_ms, clock_ticks() / 2);
        if (link_has_news || now_ms != shown_ms) {
            shown_ms = now_ms;
            show(now_ms);
        }
        rest();
    }
}
