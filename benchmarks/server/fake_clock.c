/* The wall clock of one process, off by as many seconds as stand in a file that all processes map: see fake_clock.py.
 * All other clocks, and all waits, are left to the system. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long *off_s;
static int (*system_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void map_file(void) {
    const char *path = getenv("FAKE_CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    system_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (file < 0)
        return;
    void *mapped = mmap(NULL, sizeof *off_s, PROT_READ, MAP_SHARED, file, 0);
    off_s = mapped == MAP_FAILED ? NULL : mapped;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *told) {
    if (!system_clock)
        system_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = system_clock(clock, told);
    if (!failed && off_s && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        told->tv_sec += *off_s;
    return failed;
}

time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told)
        *told = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *told, void *zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    told->tv_sec = now.tv_sec;
    told->tv_usec = now.tv_nsec / 1000;
    return 0;
}
