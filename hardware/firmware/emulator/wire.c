/* The serial line: bytes take their time both ways, the chip buffers two and a half, and on command
 * bytes are lost or flipped. The host's bytes come at 115200 baud, the board's at the rate in its
 * registers; if the rates differ by more than TOLERANCE, no byte arrives intact. */
#include <stdlib.h>
#include <string.h>

#include "avr_uart.h"
#include "emulator.h"

enum {
    ROOM = 1 << 16,
    HOST_BYTE = 1389, /* cycles: 10 bits at 115200 baud and 16 MHz */
    TOLERANCE = 35, /* cycles: a quarter of a bit, at the byte's last one; the rest is for edges */
    FIFO = 3, /* the chip's two bytes and its shift register */
};

struct queue {
    uint8_t bytes[ROOM];
    avr_cycle_count_t at[ROOM]; /* when its last bit arrives */
    unsigned head, tail;
};

static avr_t *avr;
static avr_uart_t *uart;
static avr_irq_t *input;
static struct queue to_board, from_board;
static uint8_t arrived[ROOM];
static size_t arrived_n;
static bool arrived_end;
static uint64_t luck = 1;
struct faults wire_faults;

static uint32_t draw(void) /* xorshift64*, the same on every machine */
{
    luck ^= luck >> 12;
    luck ^= luck << 25;
    luck ^= luck >> 27;
    return (uint32_t)(luck * 2685821657736338717ULL >> 32);
}

void wire_seed(uint64_t seed)
{
    luck = seed * 2 + 1;
}

/* simavr counts a parity bit that is never sent. */
static avr_cycle_count_t board_byte(void)
{
    unsigned ubrr = avr_regbit_get(avr, uart->ubrrl) | avr_regbit_get(avr, uart->ubrrh) << 8;
    return (ubrr + 1) * (avr_regbit_get(avr, uart->u2x) ? 8 : 16) * 10;
}

/* Whether the byte arrives at all; it may arrive changed. */
static bool suffer(uint8_t *byte)
{
    if (labs((long)board_byte() - HOST_BYTE) > TOLERANCE)
        *byte ^= 1 << 7; /* the last bit is sampled in its neighbour */
    if (wire_faults.cut || draw() % 10000 < wire_faults.lost)
        return false;
    if (draw() % 10000 < wire_faults.flipped)
        *byte ^= 1 << draw() % 8;
    return true;
}

static void push(struct queue *queue, uint8_t byte, avr_cycle_count_t at)
{
    queue->bytes[queue->head % ROOM] = byte;
    queue->at[queue->head++ % ROOM] = at;
}

static void deliver_to_board(uint8_t byte)
{
    if (!suffer(&byte))
        return;
    if ((uint16_t)(uart->input.write - uart->input.read) % 64 >= FIFO) {
        avr_regbit_set(avr, uart->dor);
        return;
    }
    avr_cycle_count_t own = uart->cycles_per_byte;
    uart->cycles_per_byte = 1; /* its time has already passed on our line */
    avr_raise_irq(input, byte);
    uart->cycles_per_byte = own;
}

static void deliver_to_host(uint8_t byte)
{
    if (!suffer(&byte) || arrived_n == ROOM)
        return;
    arrived[arrived_n++] = byte;
    arrived_end |= byte == 0;
}

static avr_cycle_count_t next_due(void)
{
    avr_cycle_count_t due = 0;
    if (to_board.tail != to_board.head)
        due = to_board.at[to_board.tail % ROOM];
    if (from_board.tail != from_board.head) {
        avr_cycle_count_t at = from_board.at[from_board.tail % ROOM];
        due = due && due < at ? due : at;
    }
    return due;
}

static avr_cycle_count_t ring(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    while (to_board.tail != to_board.head && to_board.at[to_board.tail % ROOM] <= of->cycle)
        deliver_to_board(to_board.bytes[to_board.tail++ % ROOM]);
    while (from_board.tail != from_board.head && from_board.at[from_board.tail % ROOM] <= of->cycle)
        deliver_to_host(from_board.bytes[from_board.tail++ % ROOM]);
    return next_due();
}

static void set_bell(void)
{
    avr_cycle_count_t due = next_due();
    avr_cycle_timer_cancel(avr, ring, NULL);
    if (due)
        avr_cycle_timer_register(avr, due > avr->cycle ? due - avr->cycle : 1, ring, NULL);
}

static void on_output(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uart->cycles_per_byte = board_byte();
    push(&from_board, value, avr->cycle + uart->cycles_per_byte);
    set_bell();
}

void wire_send(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        avr_cycle_count_t free_at = avr->cycle;
        if (to_board.tail != to_board.head)
            free_at = to_board.at[(to_board.head - 1) % ROOM];
        if (to_board.head - to_board.tail < ROOM)
            push(&to_board, bytes[i], free_at + HOST_BYTE);
    }
    set_bell();
}

void wire_garbage(unsigned n)
{
    while (n--) {
        uint8_t byte = draw() >> 24;
        wire_send(&byte, 1);
    }
}

size_t wire_take(uint8_t *bytes, size_t room)
{
    size_t n = arrived_n < room ? arrived_n : room;
    memcpy(bytes, arrived, n);
    memmove(arrived, arrived + n, arrived_n - n);
    arrived_n -= n;
    arrived_end = false;
    return n;
}

bool wire_has_end(void)
{
    return arrived_end;
}

void wire_reset(void)
{
    set_bell(); /* simavr forgets all timers at a reset */
}

void wire_start(avr_t *of)
{
    avr = of;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    uint32_t flags = 0; /* no console, no naps */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_output, NULL);
}
