/* Pins by their names in hardware/board.toml: OUTPUT(BUZZER); HIGH(BUZZER); if (ACTIVE(LID)) ... */
#ifndef IO_H
#define IO_H

#include <avr/io.h>

#include "pins.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define MASK(name) (1 << name##_BIT)
#define OUTPUT(name) (JOIN(DDR, name##_PORT) |= MASK(name))
#define PULL_UP(name) (JOIN(PORT, name##_PORT) |= MASK(name))
#define HIGH(name) (JOIN(PORT, name##_PORT) |= MASK(name))
#define LOW(name) (JOIN(PORT, name##_PORT) &= (uint8_t)~MASK(name))
#define READ(name) (JOIN(PIN, name##_PORT) & MASK(name))
#define ACTIVE(name) ((READ(name) != 0) == name##_ACTIVE_HIGH)

#endif
