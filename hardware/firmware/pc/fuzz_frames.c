/* libFuzzer: feeds any bytes to the frame parser. A frame that is accepted must be exactly that of
 * its content; the checksum is computed here in another way than in the parser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "link.h"

void line_write(const u8 *bytes, u8 n)
{
    (void)bytes, (void)n;
}

static uint16_t crc_by_division(const uint8_t *data, size_t n)
{
    uint32_t rest = 0xFFFF;
    for (size_t bit = 0; bit < n * 8; bit++) {
        uint32_t in = data[bit / 8] >> (7 - bit % 8) & 1;
        uint32_t out = rest >> 15 & 1;
        rest = (rest << 1 & 0xFFFF) ^ (in ^ out ? 0x1021 : 0);
    }
    return (uint16_t)rest;
}

static unsigned long long fuzzed;

static void print_fuzzed(void)
{
    printf("fuzzed %llu bytes\n", fuzzed);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    return atexit(print_fuzzed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzzed += size;
    struct unframer unframer = {0};
    size_t begin = 0;
    for (size_t i = 0; i < size; i++) {
        uint8_t n = unframe(&unframer, data[i]);
        if (n != FRAME_GOES_ON && n != FRAME_BAD) {
            const uint8_t *content = unframer.content;
            uint16_t want = crc_by_division(content, n);
            uint8_t again[MAX_CONTENT + 4];
            if (n > MAX_CONTENT || content[n] != want >> 8 || content[n + 1] != (want & 0xFF))
                abort(); /* a wrong checksum was accepted */
            if (frame(again, content, n) != i - begin + 1 || memcmp(again, data + begin, i - begin + 1))
                abort(); /* two frames for one content */
        }
        if (data[i] == 0)
            begin = i + 1;
    }
    return 0;
}
