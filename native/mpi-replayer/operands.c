#define _GNU_SOURCE
#include "operands.h"
#include "failure.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST_NUMBER 9007199254740991LL

int depth;
long long iterations[MOST_DEPTH];
const char *root;

/* ---- numbers ---- */

static long long bounded(__int128 value) {
  if (value > LARGEST_NUMBER || value < -(__int128)LARGEST_NUMBER) fail("a number is beyond 2^53 - 1");
  return (long long)value;
}

static long long number(const char *text) {
  long long stack[200];
  int top = 0;
  while (*text != 0) {
    if (top >= 199) fail("a number is too long");
    if (*text == '$') {
      long loop = strtol(text + 1, (char **)&text, 10);
      if (loop < 0 || loop >= depth) fail("there is no series %ld around", loop);
      stack[top++] = iterations[loop];
    } else if ((*text >= '0' && *text <= '9') || (*text == '-' && text[1] >= '0' && text[1] <= '9')) {
      stack[top++] = strtoll(text, (char **)&text, 10);
    } else if (*text == 'n') {
      if (top < 1) fail("a number is damaged");
      stack[top - 1] = -stack[top - 1];
      text++;
    } else {
      if (top < 2) fail("a number is damaged");
      long long left = stack[top - 2], right = stack[top - 1];
      if ((*text == '/' || *text == '%') && right == 0) fail("a number is divided by 0");
      switch (*text) {
        case '+': left = bounded((__int128)left + right); break;
        case '-': left = bounded((__int128)left - right); break;
        case '*': left = bounded((__int128)left * right); break;
        case '/': left = left / right; break;
        case '%': left = left % right; break;
        default: fail("a number is damaged");
      }
      top--;
      stack[top - 1] = left;
      text++;
    }
    if (*text == ',') text++;
  }
  if (top != 1) fail("a number is damaged");
  return stack[0];
}

long long number_at(int index) { return number(operand(index)); }

long long size_at(int index, const char *what) {
  long long value = number_at(index);
  if (value < 0) fail("%s is %lld: it cannot be negative", what, value);
  return value;
}

int count_at(int index, const char *what) {
  long long value = size_at(index, what);
  if (value > INT_MAX) fail("%s is %lld: MPI counts to %d", what, value, INT_MAX);
  return (int)value;
}

int numbers_at(int index, int *values, int most) {
  const char *text = operand(index);
  int count = 0;
  while (*text != 0) {
    char own[1024];
    size_t length = strcspn(text, ";");
    if (count == most || length >= sizeof own) fail("a list is too long");
    memcpy(own, text, length);
    own[length] = 0;
    long long value = number(own);
    if (value < INT_MIN || value > INT_MAX) fail("%lld is too large for a datatype", value);
    values[count++] = (int)value;
    text += length + (text[length] == ';');
  }
  return count;
}

/* ---- paths ---- */

static int hexadecimal(char digit) { return digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10; }

/* Pieces of a path: `t` and text, or `n`, digits, `:` and a number; separated by `|`. Relative to the folder. */
static void relative_path(const char *text, char *path) {
  size_t length = 0;
  while (*text != 0) {
    if (length > PATH_MAX - 64) fail("a path is too long");
    if (*text == 't') {
      for (text++; *text != 0 && *text != '|' && length < PATH_MAX - 64; text++) {
        if (*text == '%') {
          path[length++] = (char)(hexadecimal(text[1]) * 16 + hexadecimal(text[2]));
          text += 2;
        } else
          path[length++] = *text;
      }
    } else {
      char own[1024];
      long digits = strtol(text + 1, (char **)&text, 10);
      size_t its = strcspn(text, "|");
      if (*text != ':' || its >= sizeof own || digits > 20) fail("a path is damaged");
      memcpy(own, text + 1, its - 1);
      own[its - 1] = 0;
      length += (size_t)sprintf(path + length, "%0*lld", (int)digits, number(own));
      text += its;
    }
    if (*text == '|') text++;
  }
  path[length] = 0;
}

void place(int index, int makes_folders, char *relative, char *path) {
  struct stat status;
  relative_path(operand(index), relative);
  if (snprintf(path, PATH_MAX, "%s/%s", root, relative) >= PATH_MAX) fail("a path is too long");
  for (char *end = path + strlen(root) + 1; (end = strchr(end, '/')) != NULL; end++) {
    *end = 0;
    int missing = lstat(path, &status) != 0;
    if (missing && makes_folders && errno == ENOENT && (mkdir(path, 0777) == 0 || errno == EEXIST))
      missing = lstat(path, &status) != 0;
    if (!missing && S_ISLNK(status.st_mode)) fail("%s leads through a symbolic link, which a replay does not follow", relative);
    *end = '/';
  }
  if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) fail("%s is a symbolic link, which a replay does not follow", relative);
}
