/*
 * The address sanitizer of GCC ends a program that has another library in front of the sanitizer's. Ours does not mind, and
 * takes nothing away from it: what it calls are the sanitizer's functions. A program's own options come first.
 */
#include "../recorder.h"

EXPORTED const char *__asan_default_options(void);
EXPORTED const char *__asan_default_options(void)
{
    return "verify_asan_link_order=0";
}
