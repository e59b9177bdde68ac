/* Messages as structures, and their bytes: little-endian, packed, in the order of messages.h. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

#include "messages.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

#define TAG_AND_SIZE(name, tag, size) TAG_##name = tag, SIZE_##name = size,
enum { MESSAGES(TAG_AND_SIZE) FIRST_NUMBERED = 0x10 };

static inline u8 *put_u8(u8 *out, u8 value)
{
    *out = value;
    return out + 1;
}

static inline u8 *put_u16(u8 *out, u16 value)
{
    return put_u8(put_u8(out, value & 0xFF), value >> 8);
}

static inline u8 *put_u32(u8 *out, u32 value)
{
    return put_u16(put_u16(out, value & 0xFFFF), value >> 16);
}

static inline u8 *put_u64(u8 *out, u64 value)
{
    return put_u32(put_u32(out, (u32)value), (u32)(value >> 32));
}

static inline u8 *put_i32(u8 *out, i32 value)
{
    return put_u32(out, (u32)value);
}

static inline u8 get_u8(const u8 **in)
{
    return *(*in)++;
}

static inline u16 get_u16(const u8 **in)
{
    u16 low = get_u8(in);
    return (u16)(low | (u16)get_u8(in) << 8);
}

static inline u32 get_u32(const u8 **in)
{
    u32 low = get_u16(in);
    return low | (u32)get_u16(in) << 16;
}

static inline u64 get_u64(const u8 **in)
{
    u64 low = get_u32(in);
    return low | (u64)get_u32(in) << 32;
}

static inline i32 get_i32(const u8 **in)
{
    return (i32)get_u32(in);
}

#define MEMBER(type, name) type name;
#define MEMBERS(type, name, count) type name[count];
#define PUT(type, name) out = put_##type(out, from->name);
#define PUTS(type, name, count) \
    for (u8 i = 0; i < count; i++) \
        out = put_##type(out, from->name[i]);
#define GET(type, name) to->name = get_##type(&in);
#define GETS(type, name, count) \
    for (u8 i = 0; i < count; i++) \
        to->name[i] = get_##type(&in);

/* struct NAME, pack_NAME (returns the end) and unpack_NAME (takes SIZE_NAME bytes). Empty messages
 * have a structure without members, which gcc and clang allow. */
#define DECLARE(name, tag, size) \
    struct name { \
        FIELDS_##name(MEMBER, MEMBERS) \
    }; \
    static inline u8 *pack_##name(u8 *out, const struct name *from) \
    { \
        (void)from; \
        FIELDS_##name(PUT, PUTS) \
        return out; \
    } \
    static inline void unpack_##name(struct name *to, const u8 *in) \
    { \
        (void)to, (void)in; \
        FIELDS_##name(GET, GETS) \
    }
MESSAGES(DECLARE)

#endif
