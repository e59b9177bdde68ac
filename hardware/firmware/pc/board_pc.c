/* The firmware's frames, messages, link and digits as a PC program, for the tests: each line on the
 * standard input is a command, answered by one line. The same sources run on the board. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "link.h"
#include "show.h"

static u8 written[4096];
static size_t written_n;

void line_write(const u8 *bytes, u8 n)
{
    if (written_n + n > sizeof written)
        abort();
    memcpy(written + written_n, bytes, n);
    written_n += n;
}

static void print_hex(const u8 *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        printf("%02x", bytes[i]);
}

static size_t read_hex(u8 *bytes, size_t room)
{
    const char *text = strtok(NULL, " \n");
    size_t n = 0;
    for (; text && text[0] && text[1] && n < room; text += 2) {
        unsigned value;
        sscanf(text, "%2x", &value);
        bytes[n++] = (u8)value;
    }
    return n;
}

static i64 read_number(void);

static void do_encode(void)
{
    u8 content[MAX_CONTENT], bytes[MAX_CONTENT + 4];
    size_t n = read_hex(content, sizeof content);
    print_hex(bytes, frame(bytes, content, (u8)n));
}

/* The content of every whole frame, "-" for a damaged one. */
static void do_decode(void)
{
    static u8 bytes[65536];
    struct unframer unframer = {0};
    size_t n = read_hex(bytes, sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        u8 length = unframe(&unframer, bytes[i]);
        if (length == FRAME_GOES_ON)
            continue;
        if (length == FRAME_BAD)
            printf("- ");
        else
            print_hex(unframer.content, length), putchar(' ');
    }
}

static void print_u64(u64 value)
{
    printf("%" PRIu64 " ", value);
}

static void print_i32(i32 value)
{
    printf("%" PRId32 " ", value);
}

#define print_u8 print_u64
#define print_u16 print_u64
#define print_u32 print_u64

#define READ(type, name) message.name = (type)read_number();
#define READS(type, name, count) \
    for (int i = 0; i < count; i++) \
        message.name[i] = (type)read_number();
#define PRINT(type, name) print_##type(message.name);
#define PRINTS(type, name, count) \
    for (int i = 0; i < count; i++) \
        print_##type(message.name[i]);
#define PACK_ONE(NAME, tag, size) \
    if (!strcmp(name, #NAME)) { \
        struct NAME message; \
        memset(&message, 0, sizeof message); \
        FIELDS_##NAME(READ, READS) \
        print_hex(bytes, (size_t)(pack_##NAME(bytes, &message) - bytes)); \
    }
#define UNPACK_ONE(NAME, tag, size) \
    if (!strcmp(name, #NAME) && read_hex(bytes, sizeof bytes) == size) { \
        struct NAME message; \
        unpack_##NAME(&message, bytes); \
        FIELDS_##NAME(PRINT, PRINTS) \
    }

static void do_pack(void)
{
    u8 bytes[64];
    const char *name = strtok(NULL, " \n");
    MESSAGES(PACK_ONE)
}

static void do_unpack(void)
{
    u8 bytes[64];
    const char *name = strtok(NULL, " \n");
    MESSAGES(UNPACK_ONE)
}

static i64 read_number(void)
{
    const char *text = strtok(NULL, " \n");
    if (!text)
        return 0;
    return text[0] == '-' ? strtoll(text, NULL, 10) : (i64)strtoull(text, NULL, 10);
}

static void do_number(void)
{
    static const char SYMBOLS[] = " 0123456789-";
    static const u8 CODES[] = {
        0, 0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B, SEGMENTS_MINUS};
    u8 segments[DIGITS];
    show_number((i32)read_number(), segments);
    for (int i = 0; i < DIGITS; i++) {
        const u8 *found = memchr(CODES, segments[i], sizeof CODES);
        putchar(found ? SYMBOLS[found - CODES] : '?');
    }
}

/* start BOOT CAUSE [OVERRUNS] */
static void do_start(void)
{
    u32 boot_id = (u32)read_number();
    about = (struct about){.cause = (u8)read_number()};
    about.overruns = (u16)read_number();
    link_start(boot_id);
}

static void do_receive(void)
{
    static u8 bytes[65536];
    u32 now_ms = (u32)read_number();
    size_t n = read_hex(bytes, sizeof bytes);
    for (size_t i = 0; i < n; i++)
        link_receive(bytes[i], now_ms);
}

static void do_poll(void)
{
    u64 now_ms = (u64)read_number();
    link_poll((u32)now_ms, now_ms * 1000);
}

/* report MS TAG WHICH VALUE */
static void do_report(void)
{
    u64 now_ms = (u64)read_number();
    struct report report = {.time_us = now_ms * 1000};
    report.tag = (u8)read_number();
    report.which = (u8)read_number();
    report.value = (u8)read_number();
    u8 bit = (u8)(1 << (report.tag == TAG_button ? report.which : report.which - 1));
    u8 *bits = report.tag == TAG_button ? &about.pressed : &about.active;
    *bits = report.value ? *bits | bit : *bits & (u8)~bit;
    link_report(&report);
}

static void do_shown(void)
{
    u8 bytes[SIZE_picture];
    if (!link_picture) {
        printf("safe");
        return;
    }
    pack_picture(bytes, link_picture);
    print_hex(bytes, sizeof bytes);
}

static const struct {
    const char *name;
    void (*run)(void);
    bool talks; /* answers with what was written on the line */
} COMMANDS[] = {
    {"encode", do_encode, false}, {"decode", do_decode, false}, {"pack", do_pack, false},
    {"unpack", do_unpack, false}, {"number", do_number, false}, {"shown", do_shown, false},
    {"start", do_start, true},    {"rx", do_receive, true},     {"poll", do_poll, true},
    {"report", do_report, true},
};

int main(void)
{
    static char line[200000];
    while (fgets(line, sizeof line, stdin)) {
        const char *name = strtok(line, " \n");
        for (size_t i = 0; name && i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
            if (strcmp(name, COMMANDS[i].name))
                continue;
            COMMANDS[i].run();
            if (COMMANDS[i].talks)
                print_hex(written, written_n);
            written_n = 0;
        }
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
