/* Frames on the line: COBS with a zero byte as the end, and CRC-16/CCITT-FALSE.
 * The host has the same in Python (firmware_bridge/frames.py). */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MAX_CONTENT = 60, /* bytes of a frame without checksum, both ways */
    MAX_FRAME = MAX_CONTENT + 3, /* on the line, without the end: checksum and one COBS byte */
};

/* A frame that is being received. Start with zeroed memory. */
struct unframer {
    uint8_t content[MAX_CONTENT + 2]; /* with checksum */
    uint8_t filled;
    uint16_t crc; /* of the content so far, so that a frame's end needs no extra time */
    uint8_t length; /* bytes of the frame so far */
    uint8_t left; /* data bytes until the next code byte */
    bool bad;
};

enum { FRAME_GOES_ON = 0, FRAME_BAD = 0xFF };

/* Take one byte. Returns the length of the content (1 to MAX_CONTENT) if it ends a whole frame,
 * FRAME_BAD if it ends a damaged one, otherwise FRAME_GOES_ON. */
uint8_t unframe(struct unframer *unframer, uint8_t byte);

/* Write the frame of `n` bytes (1 to MAX_CONTENT) with its end; returns its length.
 * `frame` must have room for n + 4 bytes. */
uint8_t frame(uint8_t *frame, const uint8_t *content, uint8_t n);

#endif
