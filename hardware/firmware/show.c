#include "show.h"

#include <stddef.h>
#include <string.h>

/* The host's value for no number: messages.py. */
#define BLANK INT32_MIN
/* Two numbers side by side: values from here on are the left one times 1000 plus the right one. */
#define PAIRS 1000000000
#define MOST_PAIRS 999999

static const u8 SEGMENTS[10] = {0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B};
static const u32 POWERS[DIGITS] = {10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};

static u8 put(u16 number, u8 segments[DIGITS], u8 last) /* returns the place to its left */
{
    do {
        segments[last--] = SEGMENTS[number % 10];
        number /= 10;
    } while (number);
    return last;
}

static void show_pair(u32 pair, u8 segments[DIGITS])
{
    u8 at = put(pair % 1000, segments, DIGITS - 1);
    segments[at--] = SEGMENTS_MINUS;
    put(pair / 1000, segments, at);
}

void show_number(i32 value, u8 segments[DIGITS])
{
    memset(segments, 0, DIGITS);
    if (value == BLANK)
        return;
    if (value >= PAIRS && value <= PAIRS + MOST_PAIRS) {
        show_pair((u32)(value - PAIRS), segments);
        return;
    }
    if (value > 99999999 || value < -9999999) {
        memset(segments, SEGMENTS_MINUS, DIGITS);
        return;
    }
    bool minus = value < 0;
    u32 left = minus ? (u32)-value : (u32)value;
    bool begun = false;
    for (u8 at = 0; at < DIGITS; at++) { /* subtraction, as division takes ten times as long here */
        u8 digit = 0;
        for (; left >= POWERS[at]; left -= POWERS[at])
            digit++;
        if (!begun && (digit || at == DIGITS - 1)) {
            begun = true;
            if (minus)
                segments[at - 1] = SEGMENTS_MINUS; /* at > 0: seven digits at most */
        }
        if (begun)
            segments[at] = SEGMENTS[digit];
    }
}

static bool is_lit(u8 mode, u8 phase)
{
    switch (mode) {
    case MODE_ON:
        return true;
    case MODE_BLINK:
        return phase < PHASES / 2;
    case MODE_PULSE:
        return phase == 0 || phase == 2;
    default:
        return false;
    }
}

void show_lamps(const struct picture *picture, u8 phase, u8 colours[SEATS])
{
    for (u8 seat = 0; seat < SEATS; seat++) {
        u8 lamp = picture ? picture->lamps[seat] : 0;
        colours[seat] = is_lit(lamp & 3, phase) ? lamp >> 4 & 7 : 0;
    }
}

bool show_buzzer(u8 pattern, u32 elapsed_ms)
{
    u32 phase = elapsed_ms / PHASE_MS;
    switch (pattern) {
    case BUZZER_BEEP:
        return phase == 0;
    case BUZZER_TWICE:
        return phase == 0 || phase == 2;
    case BUZZER_ALARM:
        return phase % PHASES == 0 || phase % PHASES == 2 || phase % PHASES == 4;
    default:
        return false;
    }
}
