/* Made by `scripts/generate` from hardware/board.toml. Do not edit. */

#ifndef PINS_H
#define PINS_H

#define BUTTON_0_PORT D
#define BUTTON_0_BIT 2
#define BUTTON_0_ACTIVE_HIGH 0
#define BUZZER_PORT D
#define BUZZER_BIT 3
#define BUTTON_1_PORT D
#define BUTTON_1_BIT 4
#define BUTTON_1_ACTIVE_HIGH 0
#define BUTTON_2_PORT D
#define BUTTON_2_BIT 5
#define BUTTON_2_ACTIVE_HIGH 0
#define BUTTON_3_PORT D
#define BUTTON_3_BIT 6
#define BUTTON_3_ACTIVE_HIGH 0
#define BUTTON_4_PORT D
#define BUTTON_4_BIT 7
#define BUTTON_4_ACTIVE_HIGH 0
#define LAMP_ENABLE_PORT B
#define LAMP_ENABLE_BIT 0
#define LAMP_LATCH_PORT B
#define LAMP_LATCH_BIT 1
#define DIGITS_LOAD_PORT B
#define DIGITS_LOAD_BIT 2
#define MOSI_PORT B
#define MOSI_BIT 3
#define MISO_PORT B
#define MISO_BIT 4
#define MISO_ACTIVE_HIGH 0
#define SCK_PORT B
#define SCK_BIT 5
#define BUTTON_5_PORT C
#define BUTTON_5_BIT 0
#define BUTTON_5_ACTIVE_HIGH 0
#define BUTTON_6_PORT C
#define BUTTON_6_BIT 1
#define BUTTON_6_ACTIVE_HIGH 0
#define BUTTON_7_PORT C
#define BUTTON_7_BIT 2
#define BUTTON_7_ACTIVE_HIGH 0
#define EXIT_BEAM_PORT C
#define EXIT_BEAM_BIT 3
#define EXIT_BEAM_ACTIVE_HIGH 1
#define LID_PORT C
#define LID_BIT 4
#define LID_ACTIVE_HIGH 1
#define CUT_CARD_PORT C
#define CUT_CARD_BIT 5
#define CUT_CARD_ACTIVE_HIGH 0

/* I(name) */
#define INPUTS(I) \
    I(BUTTON_0) \
    I(BUTTON_1) \
    I(BUTTON_2) \
    I(BUTTON_3) \
    I(BUTTON_4) \
    I(MISO) \
    I(BUTTON_5) \
    I(BUTTON_6) \
    I(BUTTON_7) \
    I(EXIT_BEAM) \
    I(LID) \
    I(CUT_CARD) \

/* S(name, milliseconds to settle), in the order of their numbers on the line */
#define EACH_SENSOR(S) \
    S(EXIT_BEAM, 1) \
    S(LID, 10) \
    S(CUT_CARD, 5) \

#define SENSORS_AT_B 0x00
#define SENSORS_AT_C 0x38
#define SENSORS_AT_D 0x00

/* How bright, of 31 and of 15: F1 and the table of currents reckon with no more. */
#define APA102_BRIGHTNESS 8
#define MAX7219_INTENSITY 7

/* For the emulator: what is soldered round the chip. LAMP_OUTPUTS: by seat the outputs
 * of the chain, from QA of the first chip on, that are red, green and blue. */
#define HC595_CHIPS 5
#define MAX7219_CHIPS 2
#define LAMP_OUTPUTS { \
    {0, 1, 2}, \
    {3, 4, 5}, \
    {6, 7, 8}, \
    {9, 10, 11}, \
    {12, 13, 14}, \
    {15, 16, 17}, \
    {18, 19, 20}, \
    {21, 22, 23}, \
    {24, 25, 26}, \
    {27, 28, 29}, \
    {30, 31, 32}, \
    {33, 34, 35}, \
}
/* A shorter pulse of the APA102's clock does not reach the first lamp, by the load of
 * the line; an SK9822 shows a picture only after as many zeros. */
#define APA102_PULSE_NS 233
#define APA102_END_BITS 38

#endif
