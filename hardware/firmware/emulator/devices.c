/* What is soldered around the chip: 74HC595 or APA102 lamps, two MAX7219, buzzer, buttons, sensors.
 * Written from the data sheets and the netlist (pins.h), not from the firmware's drivers. */
#include <stdio.h>
#include <string.h>

#include "avr_ioport.h"
#include "avr_spi.h"
#include "emulator.h"
#include "messages.h"
#include "pins.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define LETTER(name) TEXT(name##_PORT)[0]

static avr_t *avr;
static bool is_apa102;
static uint8_t driven[128], levels[128]; /* by port letter: bits driven from outside */

/* --- what a person sees ------------------------------------------------------------------------ */

static struct {
    char lamps[SEATS + 1]; /* colour bits of every seat as a digit, 8 more if it glares: it takes
                            * more current than the netlist's settings allow */
    char display_1[DIGITS + 1], display_2[DIGITS + 1]; /* empty while a display is off */
    bool buzzer;
} seen;

static void print_lamps(void)
{
    printf("{\"us\": %llu, \"lamps\": \"%s\"}\n", (unsigned long long)us_of(avr), seen.lamps);
}

static void print_digits(void)
{
    printf("{\"us\": %llu, \"display_1\": \"%s\", \"display_2\": \"%s\"}\n",
           (unsigned long long)us_of(avr), seen.display_1, seen.display_2);
}

static void print_buzzer(void)
{
    printf("{\"us\": %llu, \"buzzer\": %d}\n", (unsigned long long)us_of(avr), seen.buzzer);
}

void devices_print(void)
{
    print_lamps();
    print_digits();
    print_buzzer();
}

static void see_lamps(const char *lamps)
{
    if (strcmp(lamps, seen.lamps)) {
        strcpy(seen.lamps, lamps);
        print_lamps();
    }
}

/* --- the 74HC595 ------------------------------------------------------------------------------- */

static const uint8_t OUTPUTS[SEATS][3] = LAMP_OUTPUTS;
#define HC595_ALL ((UINT64_C(1) << 8 * HC595_CHIPS) - 1)

static struct {
    uint64_t shift, outputs; /* bit 0: QA of the first chip */
    bool latch, dark;
} hc595;

static void hc595_see(void)
{
    char lamps[SEATS + 1] = "";
    for (int seat = 0; seat < SEATS; seat++) {
        lamps[seat] = '0';
        for (int colour = 0; colour < 3 && !hc595.dark; colour++)
            lamps[seat] += (hc595.outputs >> OUTPUTS[seat][colour] & 1) << colour;
    }
    see_lamps(lamps);
}

/* --- twelve APA102 or SK9822 -------------------------------------------------------------------
 * What shows on both kinds: an SK9822 shows a picture only after APA102_END_BITS zeros. */

static struct {
    bool clock, data;
    avr_cycle_count_t rose; /* when the clock did, and when the data changed last */
    avr_cycle_count_t moved;
    uint32_t word; /* the last 32 bits */
    int zeros; /* how many zeros in a row */
    int bits, lamp; /* since the start frame; lamp -1: there was none yet */
    char lamps[SEATS + 1];
} apa102 = {.lamp = -1, .lamps = "000000000000"};

static void apa102_bit(void)
{
    apa102.word = apa102.word << 1 | apa102.data;
    apa102.zeros = apa102.data ? 0 : apa102.zeros + 1;
    if (apa102.lamp < 0 || apa102.lamp == SEATS) {
        if (apa102.zeros == (apa102.lamp < 0 ? 32 : APA102_END_BITS)) {
            apa102.lamp = 0;
            apa102.bits = 0;
            see_lamps(apa102.lamps);
        }
        return;
    }
    if (++apa102.bits < 32 || (apa102.bits == 32 && apa102.word >> 29 != 7)) {
        apa102.bits -= apa102.bits == 32; /* still zeros of the start frame */
        return;
    }
    apa102.bits = 0;
    bool lit = apa102.word >> 24 & 31;
    int blue = apa102.word >> 16 & 255, green = apa102.word >> 8 & 255, red = apa102.word & 255;
    int colour = lit ? (blue > 0) * 4 + (green > 0) * 2 + (red > 0) : 0;
    bool glares = colour && (apa102.word >> 24 & 31) > APA102_BRIGHTNESS;
    apa102.lamps[apa102.lamp++] = "0123456789abcdef"[colour + 8 * glares];
    if (apa102.lamp == SEATS)
        apa102.zeros = 0;
}

static bool is_long_enough(avr_cycle_count_t since)
{
    return (avr->cycle - since) * 1000 >= APA102_PULSE_NS * MHZ;
}

/* A pulse that is too short for the line never was; data that has not settled is what it was. */
static void apa102_clock(bool level)
{
    static bool settled;
    if (level && !apa102.clock) {
        apa102.rose = avr->cycle;
        settled = is_long_enough(apa102.moved);
    }
    if (!level && apa102.clock && is_long_enough(apa102.rose)) {
        bool data = apa102.data;
        apa102.data = data == settled;
        apa102_bit();
        apa102.data = data;
    }
    apa102.clock = level;
}

/* --- two MAX7219 ------------------------------------------------------------------------------- */

static struct {
    uint32_t shift; /* the chip of display 1, first in the chain, has the lower 16 bits */
    bool load;
    uint8_t registers[MAX7219_CHIPS][16]; /* at power-on all 0: shut down */
} max7219 = {.load = true};

static char symbol(uint8_t segments)
{
    static const char SYMBOLS[] = " 0123456789-";
    static const uint8_t CODES[] = {0x00, 0x7E, 0x30, 0x6D, 0x79, 0x33,
                                    0x5B, 0x5F, 0x70, 0x7F, 0x7B, 0x01};
    for (unsigned i = 0; i < sizeof CODES; i++)
        if (segments == CODES[i])
            return SYMBOLS[i];
    return '?';
}

static void read_display(const uint8_t registers[16], char *text)
{
    if (registers[15] & 1) { /* display test: every segment is lit */
        strcpy(text, "88888888");
    } else if (!(registers[12] & 1)) { /* shut down */
        text[0] = 0;
    } else if ((registers[10] & 15) > MAX7219_INTENSITY) { /* it glares */
        memset(text, '!', DIGITS);
        text[DIGITS] = 0;
    } else {
        for (int i = 0; i < DIGITS; i++) {
            bool scanned = DIGITS - 1 - i <= (registers[11] & 7), decoded = registers[9];
            text[i] = decoded ? '?' : scanned ? symbol(registers[DIGITS - i]) : ' ';
        }
        text[DIGITS] = 0;
    }
}

static void see_digits(void)
{
    char display_1[DIGITS + 1], display_2[DIGITS + 1];
    read_display(max7219.registers[0], display_1);
    read_display(max7219.registers[1], display_2);
    if (strcmp(display_1, seen.display_1) || strcmp(display_2, seen.display_2)) {
        strcpy(seen.display_1, display_1);
        strcpy(seen.display_2, display_2);
        print_digits();
    }
}

static void max7219_load(void)
{
    for (int chip = 0; chip < MAX7219_CHIPS; chip++) {
        uint16_t word = max7219.shift >> 16 * chip;
        if (word >> 8 & 15)
            max7219.registers[chip][word >> 8 & 15] = word & 255;
    }
    see_digits();
}

/* --- pins -------------------------------------------------------------------------------------- */

/* simavr's own clocked line takes 100 us for every byte, whatever its speed; this one takes as long
 * as the chip. The wires carry 1 MHz and no more: anything faster arrives damaged. */
static avr_spi_t *spi;
static int divider; /* of the chip's clock */

static avr_cycle_count_t spi_done(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    uint8_t byte = of->data[spi->r_spdr];
    if (divider < MHZ)
        byte ^= 1 << 4;
    hc595.shift = (hc595.shift << 8 | byte) & HC595_ALL;
    if (!max7219.load)
        max7219.shift = max7219.shift << 8 | byte;
    avr_raise_interrupt(of, &spi->spi);
    return 0;
}

static void spi_write(avr_t *of, avr_io_addr_t address, uint8_t byte, void *param)
{
    static const int DIVIDERS[] = {4, 16, 64, 128};
    (void)param;
    avr_regbit_clear(of, spi->spi.raised);
    avr_core_watch_write(of, address, byte);
    divider = DIVIDERS[of->data[spi->r_spcr] & 3] / (of->data[spi->r_spsr] & 1 ? 2 : 1);
    avr_cycle_timer_register(of, 8 * divider, spi_done, NULL);
}

static void on_lamp_latch(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (is_apa102) {
        if (apa102.data != !!value)
            apa102.moved = avr->cycle;
        apa102.data = value;
    } else {
        if (value && !hc595.latch) {
            hc595.outputs = hc595.shift;
            hc595_see();
        }
        hc595.latch = value;
    }
}

static void on_lamp_enable(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (is_apa102) {
        apa102_clock(value);
    } else {
        hc595.dark = value;
        hc595_see();
    }
}

static void on_digits_load(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (value && !max7219.load)
        max7219_load();
    max7219.load = value;
}

static void on_buzzer(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (seen.buzzer != !!value) {
        seen.buzzer = value;
        print_buzzer();
    }
}

static avr_irq_t *pin(char letter, int bit)
{
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(letter), bit);
}

/* Drive an input. simavr forgets the level at the next write to the port, unless it is also given
 * as an external pull. */
static void drive(char letter, int bit, bool level)
{
    uint8_t mask = 1 << bit;
    driven[(int)letter] |= mask;
    levels[(int)letter] = level ? levels[(int)letter] | mask : levels[(int)letter] & ~mask;
    avr_ioport_external_t pull = {
        .name = letter, .mask = driven[(int)letter], .value = levels[(int)letter]};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(letter), &pull);
    avr_raise_irq(pin(letter, bit), level);
}

#define INPUT(name) {LETTER(name), name##_BIT, name##_ACTIVE_HIGH}
static const struct {
    char letter;
    int bit;
    bool active_high;
} BUTTONS[] = {INPUT(BUTTON_0), INPUT(BUTTON_1), INPUT(BUTTON_2), INPUT(BUTTON_3),
               INPUT(BUTTON_4), INPUT(BUTTON_5), INPUT(BUTTON_6), INPUT(BUTTON_7)},
#define SENSOR(name, ms) INPUT(name),
  SENSORS[] = {EACH_SENSOR(SENSOR)};

bool devices_button(unsigned number, bool pressed)
{
    if (number >= sizeof BUTTONS / sizeof *BUTTONS)
        return false;
    drive(BUTTONS[number].letter, BUTTONS[number].bit, pressed == BUTTONS[number].active_high);
    return true;
}

bool devices_sensor(unsigned number, bool active)
{
    if (number < 1 || number > sizeof SENSORS / sizeof *SENSORS)
        return false;
    number--;
    drive(SENSORS[number].letter, SENSORS[number].bit, active == SENSORS[number].active_high);
    return true;
}

static struct storm {
    unsigned number;
    bool level;
    avr_cycle_count_t half; /* a period; 0: no storm */
} storms[sizeof SENSORS / sizeof *SENSORS];

static avr_cycle_count_t on_storm(avr_t *of, avr_cycle_count_t when, void *param)
{
    struct storm *storm = param;
    (void)of;
    storm->level = storm->half && !storm->level;
    devices_sensor(storm->number, storm->level);
    return storm->half ? when + storm->half : 0;
}

bool devices_storm(unsigned number, unsigned hz)
{
    if (number < 1 || number > sizeof SENSORS / sizeof *SENSORS || hz > 500000)
        return false;
    struct storm *storm = &storms[number - 1];
    bool storms_already = storm->half;
    storm->number = number;
    storm->half = hz ? MHZ * 500000 / hz : 0;
    if (hz && !storms_already)
        avr_cycle_timer_register(avr, storm->half, on_storm, storm);
    return true;
}

static void watch(char letter, int bit, avr_irq_notify_t notify)
{
    avr_irq_register_notify(pin(letter, bit), notify, NULL);
}

void devices_reset(void)
{
    hc595.dark = true; /* its enable has a pull-up */
    if (!is_apa102)
        hc595_see();
    on_buzzer(NULL, 0, NULL);
    for (char letter = 'B'; letter <= 'D'; letter++) /* simavr forgets the levels of the inputs */
        avr->data[0x23 + 3 * (letter - 'B')] = levels[(int)letter];
}

void devices_dip(void)
{
    hc595.shift = hc595.outputs = 0;
    memset(apa102.lamps, '0', SEATS);
    apa102.lamp = -1, apa102.zeros = 0;
    if (is_apa102)
        see_lamps(apa102.lamps);
    else
        hc595_see();
    memset(max7219.registers, 0, sizeof max7219.registers);
    see_digits();
}

static void take_spi_over(void)
{
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "spi"))
            spi = (avr_spi_t *)io;
    avr->io[AVR_DATA_TO_IO(spi->r_spdr)].w.c = spi_write;
}

void devices_start(avr_t *of, bool apa)
{
    avr = of;
    is_apa102 = apa;
    strcpy(seen.lamps, "000000000000");
    watch(LETTER(LAMP_LATCH), LAMP_LATCH_BIT, on_lamp_latch);
    watch(LETTER(LAMP_ENABLE), LAMP_ENABLE_BIT, on_lamp_enable);
    watch(LETTER(DIGITS_LOAD), DIGITS_LOAD_BIT, on_digits_load);
    watch(LETTER(BUZZER), BUZZER_BIT, on_buzzer);
    take_spi_over();
    for (unsigned i = 0; i < 8; i++)
        devices_button(i, false);
    for (unsigned i = 1; i <= sizeof SENSORS / sizeof *SENSORS; i++)
        devices_sensor(i, false);
}
