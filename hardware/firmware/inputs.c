#include "inputs.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

#include "clock.h"
#include "io.h"
#include "link.h"

enum {
    BUTTONS = 8,
    BUTTON_MS = 10, /* a button's contacts bounce for up to 5 ms */
    MOST_EDGES = 6, /* in a millisecond; they keep a byte of the line waiting for less than its time */
#define ONE(name, ms) +1
    SENSORS = EACH_SENSOR(ONE), /* numbers 1 to SENSORS on the line */
#undef ONE
};

#define ONE(name, ms) ms,
static const u8 SETTLE_MS[SENSORS] = {EACH_SENSOR(ONE)};
#undef ONE

static struct {
    u8 ms; /* how long it has differed from what was reported */
    u64 first_us;
} buttons[BUTTONS];

static volatile struct {
    bool moved; /* there was an edge since the last report */
    u8 edges; /* since the last poll */
    u32 first, last; /* times of the edges, in ticks */
} sensors[SENSORS];
static u8 levels; /* one bit per sensor, as the last interrupt saw it */
static volatile u8 interrupts; /* since the last poll */
static u32 polled_ms;

static u8 read_buttons(void)
{
    u8 down = 0;
#define ONE(number) \
    if (ACTIVE(BUTTON_##number)) \
        down |= 1 << number;
    ONE(0) ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7)
#undef ONE
    return down;
}

static u8 read_sensors(void)
{
    u8 active = 0, bit = 1;
#define ONE(name, ms) \
    if (ACTIVE(name)) \
        active |= bit; \
    bit <<= 1;
    EACH_SENSOR(ONE)
#undef ONE
    return active;
}

/* Call with interrupts off. */
static void note_edge(u8 i, u32 now)
{
    if (!sensors[i].moved)
        sensors[i].first = now;
    sensors[i].moved = true;
    sensors[i].edges++;
    sensors[i].last = now;
}

static void hear_edges(void)
{
    PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
}

static bool is_deaf(void)
{
    return !PCICR;
}

ISR(PCINT1_vect)
{
    u32 now = clock_ticks_in_interrupt();
    u8 active = read_sensors(), changed = active ^ levels;
    levels = active;
    for (u8 i = 0; i < SENSORS; i++)
        if (changed >> i & 1)
            note_edge(i, now);
    if (++interrupts == MOST_EDGES) /* noise on a wire may not keep the program from the line */
        PCICR = 0;
}

ISR(PCINT0_vect, ISR_ALIASOF(PCINT1_vect));
ISR(PCINT2_vect, ISR_ALIASOF(PCINT1_vect));

void inputs_start(void)
{
#define ONE(name) PULL_UP(name);
    INPUTS(ONE)
#undef ONE
    levels = about.active = read_sensors(); /* reported by the first status */
    PCMSK0 = SENSORS_AT_B, PCMSK1 = SENSORS_AT_C, PCMSK2 = SENSORS_AT_D;
    hear_edges();
}

static void report(u8 tag, u8 which, u8 value, u64 time_us)
{
    struct report changed = {tag, which, value, time_us};
    link_report(&changed);
}

static void poll_buttons(void)
{
    static bool settling;
    u8 changed = read_buttons() ^ about.pressed;
    if (!changed && !settling)
        return;
    settling = changed;
    for (u8 i = 0; i < BUTTONS; i++) {
        if (!(changed >> i & 1)) {
            buttons[i].ms = 0;
            continue;
        }
        if (buttons[i].ms++ == 0)
            buttons[i].first_us = clock_ticks() / 2;
        if (buttons[i].ms > BUTTON_MS) {
            buttons[i].ms = 0;
            about.pressed ^= 1 << i;
            report(TAG_button, i, about.pressed >> i & 1, buttons[i].first_us);
        }
    }
}

static void poll_sensor(u8 i)
{
    bool settled = false, active = false;
    u32 first = 0;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        u32 now = clock_ticks_in_interrupt();
        active = read_sensors() >> i & 1;
        if (active != (about.active >> i & 1) && !sensors[i].moved)
            note_edge(i, now); /* the pulse was too short for the interrupt to see the level */
        if (sensors[i].moved && now - sensors[i].last >= SETTLE_MS[i] * 2000UL) {
            sensors[i].moved = false;
            first = sensors[i].first;
            settled = true;
        }
    }
    if (!settled || active == (about.active >> i & 1))
        return; /* just a disturbance: nothing has changed */
    about.active ^= 1 << i;
    u64 now = clock_ticks();
    report(TAG_sensor, i + 1, active, (now - ((u32)now - first)) / 2);
}

/* After a storm: whose edges went unheard has not settled; what moved once keeps its own time. */
static void begin_anew(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        u32 now = clock_ticks_in_interrupt();
        u8 active = read_sensors(), changed = active ^ levels;
        levels = active;
        for (u8 i = 0; i < SENSORS; i++) {
            if (changed >> i & 1 || (is_deaf() && sensors[i].edges > 1))
                note_edge(i, now);
            sensors[i].edges = 0;
        }
        interrupts = 0;
        hear_edges();
    }
}

void inputs_poll(u32 now_ms)
{
    if (now_ms == polled_ms)
        return;
    polled_ms = now_ms;
    poll_buttons();
    if (interrupts)
        begin_anew();
    bool moved = read_sensors() != about.active;
    for (u8 i = 0; i < SENSORS; i++)
        moved |= sensors[i].moved;
    if (moved)
        for (u8 i = 0; i < SENSORS; i++)
            poll_sensor(i);
}
