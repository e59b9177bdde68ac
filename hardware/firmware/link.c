#include "link.h"

#include <stddef.h>
#include <string.h>

#include "frames.h"

struct about about;
const struct picture *link_picture;
bool link_has_news;

static struct {
    u32 boot_id, session; /* session 0: none */
    u32 heard_ms, due_ms, status_ms;
    bool away; /* nobody listens: reports are dropped, as they would be taken for news later */
    u8 seen, sent; /* numbers of the last message in and out */
    u8 tries;
    u8 in_flight[2 + SIZE_status], in_flight_n; /* tag, number, fields; 0: nothing is in flight */
    u16 bad_frames, lost_reports, serial;
    struct report queue[QUEUE];
    u16 serials[QUEUE];
    u8 first, queued;
    struct picture picture;
} link;
static struct unframer unframer;

static void write(const u8 *content, u8 n)
{
    u8 bytes[MAX_CONTENT + 4];
    line_write(bytes, frame(bytes, content, n));
}

/* Without a session this is a hello: the host starts a reset at once. */
static void write_reset_ack(void)
{
    struct reset_ack ack = {PROTOCOL, link.session, link.boot_id, about.cause, about.lamps};
    u8 content[2 + SIZE_reset_ack] = {TAG_reset_ack, 0};
    pack_reset_ack(content + 2, &ack);
    write(content, sizeof content);
}

static void go_dark(void)
{
    link.away = true;
    link.session = 0;
    link.queued = link.in_flight_n = link.tries = 0;
    link_picture = NULL;
    link_has_news = true;
}

void link_start(u32 boot_id)
{
    memset(&link, 0, sizeof link);
    memset(&unframer, 0, sizeof unframer);
    link.boot_id = boot_id;
    go_dark();
    write_reset_ack();
}

static void begin(const struct reset *reset, u32 now_ms)
{
    if (reset->version != PROTOCOL || reset->session == 0) {
        go_dark();
    } else if (reset->session != link.session) {
        link.session = reset->session;
        link.away = false;
        link.heard_ms = link.status_ms = now_ms;
        link.seen = link.sent = link.tries = 0; /* what is in flight gets a new number */
    }
    write_reset_ack();
}

static u8 next(u8 number)
{
    return number == 255 ? 1 : number + 1;
}

static void follow(const u8 *content, u32 now_ms)
{
    u8 number = content[1];
    if (link.session == 0) {
        write_reset_ack();
        return;
    }
    if (number == next(link.seen)) {
        link.seen = number;
        if (content[0] == TAG_picture) {
            unpack_picture(&link.picture, content + 2);
            link_picture = &link.picture;
            link_has_news = true;
        }
    }
    if (number && number == link.seen) { /* a repeat is acknowledged, and changes nothing */
        link.heard_ms = now_ms;
        u8 ack[] = {TAG_ack, number};
        write(ack, sizeof ack);
    }
}

static void obey(const u8 *content, u8 n, u32 now_ms)
{
    if (n >= 2 && content[0] == TAG_reset && n == 2 + SIZE_reset) {
        struct reset reset;
        unpack_reset(&reset, content + 2);
        begin(&reset, now_ms);
    } else if (n == 2 && content[0] == TAG_ack) {
        if (link.session && link.tries && content[1] == link.sent) {
            link.heard_ms = now_ms;
            link.in_flight_n = link.tries = 0;
        }
    } else if ((n == 2 + SIZE_picture && content[0] == TAG_picture)
               || (n == 2 + SIZE_heartbeat && content[0] == TAG_heartbeat)) {
        follow(content, now_ms);
    } else {
        link.bad_frames++;
    }
}

void link_receive(u8 byte, u32 now_ms)
{
    u8 n = unframe(&unframer, byte);
    if (n == FRAME_BAD)
        link.bad_frames++;
    else if (n != FRAME_GOES_ON)
        obey(unframer.content, n, now_ms);
}

void link_report(const struct report *report)
{
    if (link.away)
        return;
    link.serial++;
    if (link.queued == QUEUE) {
        link.lost_reports++;
        return;
    }
    u8 at = (link.first + link.queued++) % QUEUE;
    link.queue[at] = *report;
    link.serials[at] = link.serial;
}

static void load_report(void)
{
    const struct report *report = &link.queue[link.first];
    struct button button = {
        link.serials[link.first], report->time_us, report->which, report->value};
    link.in_flight[0] = report->tag; /* a sensor report has the same fields */
    pack_button(link.in_flight + 2, &button);
    link.in_flight_n = 2 + SIZE_button;
    link.first = (link.first + 1) % QUEUE;
    link.queued--;
}

_Static_assert((int)SIZE_sensor == (int)SIZE_button, "load_report packs both alike");

static void load_status(u32 now_ms, u64 now_us)
{
    struct status status = {
        now_us,
        about.cause,
        link.bad_frames,
        about.overruns,
        link.lost_reports,
        about.pressed,
        about.active,
    };
    link.in_flight[0] = TAG_status;
    pack_status(link.in_flight + 2, &status);
    link.in_flight_n = 2 + SIZE_status;
    link.status_ms = now_ms;
}

static void send(u32 now_ms)
{
    if (link.tries == TRIES) { /* the host does not hear us: make it reset */
        link.session = link.tries = 0;
        write_reset_ack();
        return;
    }
    if (link.tries == 0)
        link.sent = next(link.sent);
    link.tries++;
    link.due_ms = now_ms + RETRY_MS;
    link.in_flight[1] = link.sent;
    write(link.in_flight, link.in_flight_n);
}

void link_poll(u32 now_ms, u64 now_us)
{
    if (!link.away && now_ms - link.heard_ms >= AWAY_MS)
        go_dark();
    if (link.session == 0)
        return;
    if (link.in_flight_n == 0) {
        if (link.queued)
            load_report();
        else if (now_ms - link.status_ms >= STATUS_MS)
            load_status(now_ms, now_us);
        else
            return;
    }
    if (link.tries == 0 || (i32)(now_ms - link.due_ms) >= 0)
        send(now_ms);
}
