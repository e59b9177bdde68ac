#include "frames.h"

#ifdef __AVR__
#include <util/crc16.h>
#else
static uint16_t _crc_xmodem_update(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)(byte << 8);
    for (int bit = 0; bit < 8; bit++)
        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    return crc;
}
#endif

enum { CRC_START = 0xFFFF };

static uint16_t checksum(const uint8_t *data, uint8_t n)
{
    uint16_t crc = CRC_START;
    while (n--)
        crc = _crc_xmodem_update(crc, *data++);
    return crc;
}

static uint8_t finish(const struct unframer *done)
{
    if (done->length == 0)
        return FRAME_GOES_ON; /* two ends in a row */
    /* the checksum over data and its checksum is zero */
    if (done->bad || done->left || done->filled < 3 || done->crc)
        return FRAME_BAD;
    return done->filled - 2;
}

uint8_t unframe(struct unframer *to, uint8_t byte)
{
    if (byte == 0) {
        uint8_t result = finish(to);
        to->filled = to->length = to->left = 0;
        to->bad = false;
        return result;
    }
    if (to->bad || to->length == MAX_FRAME) {
        to->bad = true;
        return FRAME_GOES_ON;
    }
    to->length++;
    if (to->left) {
        to->left--;
    } else {
        to->left = byte - 1;
        if (to->length == 1) { /* the first code byte replaces no zero */
            to->crc = CRC_START;
            return FRAME_GOES_ON;
        }
        byte = 0;
    }
    to->content[to->filled++] = byte; /* fits: it is always shorter than the frame */
    to->crc = _crc_xmodem_update(to->crc, byte);
    return FRAME_GOES_ON;
}

uint8_t frame(uint8_t *out, const uint8_t *content, uint8_t n)
{
    uint16_t crc = checksum(content, n);
    uint8_t code = 0, end = 1; /* where the last code byte goes, and the next data byte */
    for (uint8_t i = 0; i < n + 2; i++) {
        uint8_t byte = i < n ? content[i] : i == n ? crc >> 8 : crc & 0xFF;
        if (byte) {
            out[end++] = byte;
        } else {
            out[code] = end - code;
            code = end++;
        }
    }
    out[code] = end - code;
    out[end++] = 0;
    return end;
}
