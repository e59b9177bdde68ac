/* The board in an emulator: the firmware's ELF in simavr, with the parts around the chip. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim_avr.h"

enum { MHZ = 16 }; /* of the chip */

/* devices.c: buttons and sensors; lamps, digits and buzzer, printed as JSON lines whenever what a
 * person sees changes. */
void devices_start(avr_t *avr, bool apa102);
void devices_reset(void); /* the chip's pins float */
void devices_dip(void); /* lamp drivers and displays are as after power-on */
void devices_print(void); /* all of it, whether it changed or not */
bool devices_button(unsigned number, bool pressed);
bool devices_sensor(unsigned number, bool active);
bool devices_storm(unsigned number, unsigned hz); /* noise on a sensor's wire; 0 ends it */

/* wire.c: the serial line at 115200 baud, with its faults. */
void wire_start(avr_t *avr);
void wire_reset(void);
void wire_send(const uint8_t *bytes, size_t n); /* to the board, one after the other */
size_t wire_take(uint8_t *bytes, size_t room); /* what has arrived from the board */
bool wire_has_end(void); /* whether that holds a zero byte, the end of a frame */

struct faults {
    bool cut;
    unsigned lost, flipped; /* bytes in 10,000, both ways */
};
extern struct faults wire_faults;
void wire_seed(uint64_t seed);
void wire_garbage(unsigned n); /* random bytes to the board */

static inline uint64_t us_of(const avr_t *avr) /* virtual time since power-on */
{
    return avr->cycle / MHZ;
}

#endif
