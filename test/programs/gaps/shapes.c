/* Calls that a wrapper makes, on one line, down a recursion and behind main: what lies between is nobody's but the callers'. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int file;
static volatile int times = 5;

/* Works for so many milliseconds without a call. */
static void compute(int milliseconds) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < milliseconds);
}

__attribute__((noinline)) static void put(void) {
  if (write(file, "0123456789abcdef", 16) != 16) abort(); /* put writes */
}

__attribute__((noinline)) static void note(void) {
  put(); /* note puts */
  __asm__ volatile("");
}

__attribute__((noinline)) static void heavy(void) {
  compute(20);
  __asm__ volatile("");
}

__attribute__((noinline)) static void descend(int depth) {
  put(); /* descends, puts */
  compute(5);
  if (depth > 0) descend(depth - 1); /* descends deeper */
  __asm__ volatile("");
}

static void bye(void) {
  put(); /* bye puts */
  compute(20);
}

int main(void) {
  file = open("shapes.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0) return 1;
  atexit(bye);
  for (int i = 0; i < times; i++) {
    note(); /* main notes */
    heavy();
  }
  put(); compute(20); put(); /* main puts twice */
  descend(6); /* main descends */
  compute(20);
  return 0;
}
