/* The serial port: 115200 baud 8N1, both ways by interrupt. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* Whether a byte is there. May be called with interrupts off. */
bool uart_is_waiting(void);

/* Take one received byte; false when there is none. */
bool uart_read(uint8_t *byte);

/* Bytes that arrived while there was no room for them, modulo 2**16. */
uint16_t uart_overruns(void);

#endif
