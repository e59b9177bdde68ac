/* The board's end of the line: numbers, acknowledgements, resets, the safe picture.
 * Bytes and the time go in; bytes go out by line_write. Knows no port, pin or clock, so that it
 * also builds as a PC program. The host's end is firmware_bridge/link.py. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>

#include "wire.h"

enum {
    RETRY_MS = 50,
    TRIES = 5,
    AWAY_MS = 1000, /* without a valid frame: the host is gone */
    STATUS_MS = 1000,
    QUEUE = 16, /* reports */
};

/* A button or sensor that changed. */
struct report {
    u8 tag; /* TAG_button or TAG_sensor */
    u8 which;
    u8 value;
    u64 time_us;
};

/* What the board knows about itself besides the link, for the status message. */
struct about {
    u8 cause; /* of the last start, as messages.py numbers them */
    u8 lamps; /* which lamp driver was built */
    u16 overruns;
    u8 pressed;
    u8 active;
};

extern struct about about;

/* The picture to show; NULL is the safe one. It changes in link_receive and link_poll, which then
 * set link_has_news; whoever shows it clears that. */
extern const struct picture *link_picture;
extern bool link_has_news;

void link_start(u32 boot_id);
void link_receive(u8 byte, u32 now_ms);
void link_poll(u32 now_ms, u64 now_us);
void link_report(const struct report *report);

/* To be supplied by the program: put a frame on the line, or drop it whole if there is no room. */
void line_write(const u8 *bytes, u8 n);

#endif
