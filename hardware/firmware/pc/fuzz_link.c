/* libFuzzer: a story for the board's end of the link. Byte 0 of every step says what happens: time
 * passes, a frame with a valid checksum arrives, raw bytes arrive, a button is pressed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "link.h"
#include "show.h"

static struct unframer host;

/* Whatever the board writes must be a whole frame that a parser accepts. */
void line_write(const u8 *bytes, u8 n)
{
    for (u8 i = 0; i < n; i++) {
        u8 result = unframe(&host, bytes[i]);
        if ((i + 1 == n) != (result != FRAME_GOES_ON) || result == FRAME_BAD)
            abort();
    }
}

static void receive(const uint8_t *bytes, size_t n, uint32_t now_ms)
{
    for (size_t i = 0; i < n; i++)
        link_receive(bytes[i], now_ms);
}

static void receive_frame(const uint8_t *content, size_t n, uint32_t now_ms)
{
    uint8_t bytes[MAX_CONTENT + 4];
    if (n >= 1 && n <= MAX_CONTENT)
        receive(bytes, frame(bytes, content, (uint8_t)n), now_ms);
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
    uint32_t now_ms = 0xFFFFF000; /* the counter wraps during the story */
    link_start(1);
    while (size >= 2) {
        uint8_t what = data[0], n = data[1];
        data += 2, size -= 2;
        if (what % 4 == 0) {
            now_ms += n;
        } else if (what % 4 == 1) {
            struct report report = {n & 1 ? TAG_button : TAG_sensor, n >> 1 & 7, n >> 4 & 1, now_ms};
            link_report(&report);
        } else {
            size_t take = n < size ? n : size;
            if (what % 4 == 2)
                receive_frame(data, take, now_ms);
            else
                receive(data, take, now_ms);
            data += take, size -= take;
        }
        link_poll(now_ms, now_ms);
        if (link_picture) {
            uint8_t segments[DIGITS], colours[SEATS];
            show_number(link_picture->display_1, segments);
            show_number(link_picture->display_2, segments);
            show_lamps(link_picture, n % PHASES, colours);
            show_buzzer(link_picture->buzzer, now_ms);
        }
    }
    return 0;
}
