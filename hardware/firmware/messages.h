/* Made by `scripts/generate` from firmware_bridge/messages.py. Do not edit. */

#ifndef MESSAGES_H
#define MESSAGES_H

#define PROTOCOL 1
#define SEATS 12
#define DIGITS 8

/* M(name, tag, bytes of all fields) */
#define MESSAGES(M) \
    M(reset, 0x01, 5) \
    M(reset_ack, 0x02, 11) \
    M(ack, 0x03, 0) \
    M(picture, 0x10, 21) \
    M(heartbeat, 0x11, 0) \
    M(button, 0x20, 12) \
    M(sensor, 0x21, 12) \
    M(status, 0x22, 17) \

/* F(type, name) is a field, A(type, name, count) an array. */
#define FIELDS_reset(F, A) F(u8, version) F(u32, session)
#define FIELDS_reset_ack(F, A) F(u8, version) F(u32, session) F(u32, boot_id) F(u8, cause) F(u8, lamps)
#define FIELDS_ack(F, A) /* none */
#define FIELDS_picture(F, A) A(u8, lamps, 12) F(i32, display_1) F(i32, display_2) F(u8, buzzer)
#define FIELDS_heartbeat(F, A) /* none */
#define FIELDS_button(F, A) F(u16, serial) F(u64, time_us) F(u8, button) F(u8, pressed)
#define FIELDS_sensor(F, A) F(u16, serial) F(u64, time_us) F(u8, sensor) F(u8, active)
#define FIELDS_status(F, A) F(u64, time_us) F(u8, cause) F(u16, bad_frames) F(u16, overruns) F(u16, lost_reports) F(u8, pressed) F(u8, active)

#endif
