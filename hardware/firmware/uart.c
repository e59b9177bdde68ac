#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "link.h"

enum { IN = 64, OUT = 128 }; /* powers of two; the longest frame is 64 */

static volatile uint8_t in[IN], in_head, in_tail;
static volatile uint8_t out[OUT], out_head, out_tail;
static volatile uint16_t overruns;

void uart_start(void)
{
    UCSR0A = _BV(U2X0); /* before UBRR: the emulator computes the byte time when UBRR is written */
    UBRR0 = (F_CPU + 4 * 115200L) / (8 * 115200L) - 1; /* 16: 117647 baud, 2.1 % fast */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A, byte = UDR0, next = (in_head + 1) % IN;
    if (status & _BV(DOR0))
        overruns++;
    if (next == in_tail) {
        overruns++;
        return;
    }
    in[in_head] = byte;
    in_head = next;
}

ISR(USART_UDRE_vect)
{
    if (out_head == out_tail) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = out[out_tail];
    out_tail = (out_tail + 1) % OUT;
}

bool uart_is_waiting(void)
{
    return in_head != in_tail;
}

bool uart_read(uint8_t *byte)
{
    if (!uart_is_waiting())
        return false;
    *byte = in[in_tail];
    in_tail = (in_tail + 1) % IN;
    return true;
}

uint16_t uart_overruns(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = overruns;
    }
    return count;
}

void line_write(const u8 *bytes, u8 n)
{
    uint8_t head = out_head, used = (uint8_t)(head - out_tail) % OUT;
    if (n > OUT - 1 - used)
        return; /* no room: the host will ask again */
    while (n--) {
        out[head] = *bytes++;
        head = (head + 1) % OUT;
    }
    out_head = head;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= _BV(UDRIE0);
    }
}
