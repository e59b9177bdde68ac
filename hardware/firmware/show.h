/* What a picture looks like: digits as segments, lamps as their present colours, the buzzer.
 * Pure: knows no pin and no clock, so that it also builds as a PC program. */
#ifndef SHOW_H
#define SHOW_H

#include <stdbool.h>

#include "wire.h"

enum mode { MODE_OFF, MODE_ON, MODE_BLINK, MODE_PULSE };
enum buzzer { BUZZER_OFF, BUZZER_BEEP, BUZZER_TWICE, BUZZER_ALARM };

enum {
    PHASE_MS = 128, /* a lamp's rhythm has eight phases, about a second */
    PHASES = 8,
    SEGMENTS_MINUS = 0x01,
};

/* Segments (MAX7219, no decoding: bit 6 is a, bit 0 is g) of eight digits, the leftmost first.
 * Right-aligned; two numbers have a minus sign between them; a number that needs more than eight
 * places is shown as eight minus signs. */
void show_number(i32 value, u8 segments[DIGITS]);

/* Colour bits (0 red, 1 green, 2 blue) of every seat in this phase. NULL: all dark. */
void show_lamps(const struct picture *picture, u8 phase, u8 colours[SEATS]);

/* Whether the buzzer sounds `elapsed_ms` after its pattern was first asked for. */
bool show_buzzer(u8 pattern, u32 elapsed_ms);

#endif
