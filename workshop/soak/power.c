/* A disk that fails: preloaded before SQLite, it counts what is done to one journal's files, makes
 * an operation fail, and cuts the power: what was not flushed is then lost, torn or half there.
 *
 *   power_arm(folder, at, cut, seed)            at that operation the process dies; cut: so does
 *                                               the power
 *   power_fault(what, from, until)              operations that fail meanwhile
 *   power_count()                               operations so far
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NONE, READ_EIO, WRITE_EIO, SYNC_EIO, OPEN_EMFILE, WRITE_FULL };
enum { HANDLES = 1024, SECTOR = 512 };

struct unsynced {
    int fd;
    off_t at, size; /* where it was written, and how long the file was */
    size_t length;
    unsigned char *old;
    struct unsynced *before;
};

static char folder[512];
static long count, death, fault_from, fault_until;
static int cut, fault;
static unsigned luck;
static char ours[HANDLES];
static struct unsynced *last;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static unsigned chance(void) { return luck = luck * 1103515245u + 12345u, luck >> 16; }

static ssize_t plain_pread(int fd, void *to, size_t length, off_t at) {
    ssize_t (*call)(int, void *, size_t, off_t) = real("pread64");
    return call(fd, to, length, at);
}

static ssize_t plain_pwrite(int fd, const void *from, size_t length, off_t at) {
    ssize_t (*call)(int, const void *, size_t, off_t) = real("pwrite64");
    return call(fd, from, length, at);
}

/* Sector by sector what was not flushed is there or is not: later ones may be, earlier ones not. */
static void lose(void) {
    for (struct unsynced *one = last; one; one = one->before) {
        unsigned kind = chance() % 3;
        for (size_t done = 0; done < one->length; done += SECTOR) {
            size_t length = one->length - done < SECTOR ? one->length - done : SECTOR;
            if (kind == 0 || (kind == 1 && chance() % 2))
                plain_pwrite(one->fd, one->old + done, length, one->at + (off_t)done);
        }
        if (kind == 0 && one->at + (off_t)one->length > one->size && ftruncate(one->fd, one->size))
            _exit(99);
    }
}

/* One operation more; whether it is to fail as `what`. */
static int passed(int what) {
    if (++count == death) {
        if (cut)
            lose();
        kill(getpid(), SIGKILL);
    }
    return fault == what && count >= fault_from && count < fault_until;
}

static int tracked(int fd) { return fd >= 0 && fd < HANDLES && ours[fd]; }

void power_arm(const char *path, long at, int with_cut, unsigned seed) {
    strncpy(folder, path, sizeof folder - 1);
    count = 0, death = at, cut = with_cut, luck = seed;
}

void power_fault(int what, long from, long until) {
    fault = what, fault_from = from, fault_until = until;
}

long power_count(void) { return count; }

static int opened(const char *path, int flags, mode_t mode) {
    int (*call)(const char *, int, ...) = real("open64");
    int mine = folder[0] && strstr(path, folder) && strstr(path, "table.db") &&
               !strstr(path, "-shm") && !strstr(path, ".lock");
    if (mine && passed(OPEN_EMFILE)) {
        errno = EMFILE;
        return -1;
    }
    int fd = call(path, flags, mode);
    if (fd >= 0 && fd < HANDLES)
        ours[fd] = (char)mine;
    return fd;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, mode);
}

ssize_t pread64(int fd, void *to, size_t length, off_t at) {
    if (tracked(fd) && passed(READ_EIO)) {
        errno = EIO;
        return -1;
    }
    return plain_pread(fd, to, length, at);
}

ssize_t pwrite64(int fd, const void *from, size_t length, off_t at) {
    if (!tracked(fd))
        return plain_pwrite(fd, from, length, at);
    if (passed(WRITE_EIO) || (fault == WRITE_FULL && count >= fault_from && count < fault_until)) {
        errno = fault == WRITE_FULL ? ENOSPC : EIO;
        return -1;
    }
    struct stat now;
    struct unsynced *one = calloc(1, sizeof *one);
    one->old = calloc(1, length);
    one->fd = fd, one->at = at, one->length = length;
    one->size = fstat(fd, &now) ? 0 : now.st_size;
    plain_pread(fd, one->old, length, at);
    one->before = last, last = one;
    return plain_pwrite(fd, from, length, at);
}

/* Flushed: of this file nothing can be lost any more. */
static void kept(int fd) {
    struct unsynced **at = &last;
    struct stat mine, other;
    if (fstat(fd, &mine))
        return;
    while (*at) {
        struct unsynced *one = *at;
        if (fstat(one->fd, &other) || other.st_ino == mine.st_ino) {
            *at = one->before;
            free(one->old);
            free(one);
        } else
            at = &one->before;
    }
}

static int synced(int fd, const char *name) {
    int (*call)(int) = real(name);
    if (tracked(fd)) {
        if (passed(SYNC_EIO)) {
            errno = EIO;
            return -1;
        }
        kept(fd);
    }
    return call(fd);
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }
