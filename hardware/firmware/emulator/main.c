/* The table board in an emulator: runs the very ELF that avrdude would flash.
 *
 *   emulator ELF --pty        in real time, its line behind a pty that any program can open
 *   emulator ELF --lockstep   as fast as it can, only on command, for repeatable tests
 *
 * Prints JSON lines with the virtual time: {"pty": "/dev/pts/5"}, then every change of lamps, digits
 * and buzzer. Commands on the standard input, each answered with {"us": ..., "ok": "..."}:
 *   button N 0|1      sensor N 0|1      snap        reset
 *   storm N HZ        the sensor's wire picks up noise of this frequency, until HZ is 0
 *   hang [US]         the program hangs until it is reset, or for US microseconds
 *   hold ADDRESS US   from now on it hangs after every reset too, when it reaches ADDRESS
 *   dip               lamp drivers and displays lose their supply for a moment
 *   poke ADDRESS N    set a variable of 32 bits (avr-nm lists the addresses)
 *   faults LOST FLIPPED   (bytes in 10,000)         cut 0|1     seed N      garbage N
 *   run US [HEX]      (lockstep) put HEX on the line and run until US microseconds have passed or the
 *                     board has completed a frame; the answer has its bytes as "tx"
 */
#define _GNU_SOURCE /* ppoll */
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_extint.h"
#include "emulator.h"
#include "sim_avr.h"
#include "sim_elf.h"
#include "sim_io.h"

enum { SLICE_US = 1000 };

static avr_t *avr;
static bool hung;
static uint16_t hung_word;
static avr_flashaddr_t hung_at;

static void nap(avr_t *of, avr_cycle_count_t how_long)
{
    (void)of, (void)how_long; /* the caller sets the pace */
}

static void put_word(avr_flashaddr_t at, uint16_t word)
{
    avr->flash[at] = word & 255;
    avr->flash[at + 1] = word >> 8;
}

static void end_hang(void)
{
    if (hung)
        put_word(hung_at, hung_word);
    hung = false;
}

static bool was_reset;
static struct {
    avr_flashaddr_t at;
    unsigned us; /* 0: never held */
    bool done; /* since the last reset */
} held;

/* Also called when simavr's own watchdog bites. */
static void on_reset(avr_t *of)
{
    (void)of;
    was_reset = true;
}

enum { MCUSR = 0x54 }; /* why the chip was reset, a bit for each cause */
static uint8_t reset_flags;

/* Only a 0 clears a flag, and no reset does; simavr clears all of them at each. */
static void on_flags_written(struct avr_t *of, avr_io_addr_t at, uint8_t value, void *param)
{
    (void)of, (void)param;
    avr->data[at] = reset_flags &= value;
}

static void after_reset(void)
{
    was_reset = held.done = false;
    avr->data[MCUSR] = reset_flags |= avr->data[MCUSR];
    end_hang();
    devices_reset();
    wire_reset();
    /* Otherwise simavr polls an INT0 or INT1 pin that is low every two cycles, although that
     * interrupt is not enabled: nine tenths of its time. */
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
}

static avr_cycle_count_t on_hang_end(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)of, (void)when, (void)param;
    end_hang();
    return 0;
}

/* The program enters an endless loop, as after an electrostatic discharge, until it is reset or
 * `us` microseconds have passed (0: never); interrupts still run. */
static void hang(unsigned us)
{
    end_hang();
    hung_at = avr->pc;
    hung_word = avr->flash[hung_at] | avr->flash[hung_at + 1] << 8;
    put_word(hung_at, 0xCFFF); /* rjmp to itself */
    hung = true;
    if (us)
        avr_cycle_timer_register(avr, (avr_cycle_count_t)us * MHZ, on_hang_end, NULL);
}

static void hold(void)
{
    if (held.us && !held.done && avr->pc == held.at) {
        held.done = true;
        hang(held.us);
    }
}

/* The linker places variables at 0x800000. */
static void poke(unsigned address, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        avr->data[(address + i) & 0x0FFF] = value >> 8 * i;
}

static void press_reset(void)
{
    avr_reset(avr);
    avr->data[MCUSR] = 1 << 1; /* external reset */
    after_reset();
}

static avr_cycle_count_t on_end(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)of, (void)when, (void)param;
    return 0;
}

static void run_until(uint64_t cycle, bool stop_at_frame)
{
    if (avr->cycle < cycle) /* a sleeping chip would oversleep the end */
        avr_cycle_timer_register(avr, cycle - avr->cycle, on_end, NULL);
    while (avr->cycle < cycle && !(stop_at_frame && wire_has_end())) {
        hold();
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the firmware crashed at %#x\n", avr->pc);
            exit(1);
        }
        if (was_reset)
            after_reset();
    }
}

static uint8_t bytes[1 << 16];

static size_t read_hex(const char *text)
{
    size_t n = 0;
    for (unsigned value; text && sscanf(text, "%2x", &value) == 1 && n < sizeof bytes; text += 2)
        bytes[n++] = value;
    return n;
}

static void answer(const char *line, bool good, bool with_tx)
{
    printf("{\"us\": %llu, \"%s\": \"%s\"", (unsigned long long)us_of(avr), good ? "ok" : "error", line);
    if (with_tx) {
        printf(", \"tx\": \"");
        size_t n = wire_take(bytes, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            printf("%02x", bytes[i]);
        printf("\"");
    }
    printf("}\n");
    fflush(stdout);
}

static void run_command(void)
{
    const char *us = strtok(NULL, " "), *hex = strtok(NULL, " ");
    size_t n = read_hex(hex);
    wire_send(bytes, n);
    run_until(avr->cycle + strtoull(us ? us : "0", NULL, 10) * MHZ, true);
    answer("run", true, true);
}

static void obey(char *line)
{
    char copy[64] = "";
    memcpy(copy, line, strnlen(line, sizeof copy - 1));
    const char *name = strtok(line, " ");
    if (!name)
        return;
    if (!strcmp(name, "run")) {
        run_command();
        return;
    }
    const char *one = strtok(NULL, " "), *two = strtok(NULL, " ");
    unsigned first = one ? strtoul(one, NULL, 10) : 0, second = two ? strtoul(two, NULL, 10) : 0;
    bool good = true;
    if (!strcmp(name, "button"))
        good = devices_button(first, second);
    else if (!strcmp(name, "sensor"))
        good = devices_sensor(first, second);
    else if (!strcmp(name, "storm"))
        good = devices_storm(first, second);
    else if (!strcmp(name, "snap"))
        devices_print();
    else if (!strcmp(name, "reset"))
        press_reset();
    else if (!strcmp(name, "hang"))
        hang(first);
    else if (!strcmp(name, "hold"))
        held.at = first, held.us = second;
    else if (!strcmp(name, "dip"))
        devices_dip();
    else if (!strcmp(name, "poke"))
        poke(first, second);
    else if (!strcmp(name, "faults"))
        wire_faults.lost = first, wire_faults.flipped = second;
    else if (!strcmp(name, "cut"))
        wire_faults.cut = first;
    else if (!strcmp(name, "seed"))
        wire_seed(first);
    else if (!strcmp(name, "garbage"))
        wire_garbage(first);
    else
        good = false;
    answer(copy, good, false);
}

/* Obey whole lines of `data`; keep the rest for the next call. Returns false at the end of input. */
static bool read_commands(void)
{
    static char text[1 << 18];
    static size_t n;
    ssize_t got = read(STDIN_FILENO, text + n, sizeof text - 1 - n);
    if (got <= 0)
        return false;
    n += (size_t)got;
    text[n] = 0;
    char *begin = text;
    for (char *end; (end = strchr(begin, '\n')); begin = end + 1) {
        *end = 0;
        obey(begin);
    }
    n -= (size_t)(begin - text);
    memmove(text, begin, n);
    return true;
}

static uint64_t wall_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static int open_line(void)
{
    int master, slave; /* keep the slave open, so that programs may come and go */
    char name[64];
    struct termios raw;
    if (openpty(&master, &slave, name, NULL, NULL) < 0) {
        perror("openpty");
        exit(1);
    }
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    printf("{\"pty\": \"%s\"}\n", name);
    fflush(stdout);
    return master;
}

/* Run in real time. If this machine is too slow, time is lost and not made up for: no real board
 * runs faster for a while. */
static void run_paced(void)
{
    int line = open_line();
    uint64_t begun = wall_us() - us_of(avr);
    for (;;) {
        struct pollfd waiting[] = {{STDIN_FILENO, POLLIN, 0}, {line, POLLIN, 0}};
        uint64_t next = begun + us_of(avr), wall = wall_us();
        struct timespec rest = {0, next > wall ? (long)(next - wall) * 1000 : 0};
        ppoll(waiting, 2, &rest, NULL);
        if (waiting[0].revents && !read_commands())
            return;
        if (waiting[1].revents & POLLIN) {
            ssize_t n = read(line, bytes, 256);
            if (n > 0)
                wire_send(bytes, (size_t)n);
        }
        wall = wall_us();
        if (wall > begun + us_of(avr) + 100000)
            begun = wall - us_of(avr);
        while (begun + us_of(avr) < wall)
            run_until(avr->cycle + SLICE_US * MHZ, false);
        size_t n = wire_take(bytes, sizeof bytes);
        if (n && write(line, bytes, n) < 0)
            perror("pty");
        fflush(stdout);
    }
}

/* simavr writes much to the standard output, which is ours. */
static void log_errors(avr_t *of, const int level, const char *format, va_list values)
{
    (void)of;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, values);
}

static void load(const char *path)
{
    avr_global_logger_set(log_errors);
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(path, &firmware)) {
        fprintf(stderr, "%s is no firmware: run `make` in hardware/firmware\n", path);
        exit(2);
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr->frequency = MHZ * 1000000;
    avr->sleep = nap;
    firmware.frequency = avr->frequency;
    avr_load_firmware(avr, &firmware);
    avr->reset = on_reset;
    wire_start(avr);
    const char *slash = strrchr(path, '/');
    devices_start(avr, strstr(slash ? slash : path, "apa102"));
    avr_register_io_write(avr, MCUSR, on_flags_written, NULL);
    avr->data[MCUSR] = 1 << 0; /* power-on */
    after_reset();
}

int main(int count, char **arguments)
{
    if (count != 3 || (strcmp(arguments[2], "--pty") && strcmp(arguments[2], "--lockstep"))) {
        fprintf(stderr, "usage: emulator ELF --pty|--lockstep\n");
        return 2;
    }
    load(arguments[1]);
    if (!strcmp(arguments[2], "--pty"))
        run_paced();
    else
        while (read_commands())
            ;
    return 0;
}
