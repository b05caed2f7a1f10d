/*
 * For the library that is built beforehand only (scripts/recorder-library.mjs): functions that glibc 2.34 moved from libdl and
 * libpthread into libc are asked for by the versions that they had before and still have, so that one library fits every
 * glibc since 2.28.
 */
#if defined __x86_64__
#define OLDEST "GLIBC_2.2.5"
#elif defined __aarch64__
#define OLDEST "GLIBC_2.17"
#endif
#define OLD(function) __asm__(".symver " #function "," #function "@" OLDEST)

OLD(dladdr);
OLD(dlerror);
OLD(dlopen);
OLD(dlsym);
OLD(dlvsym);
OLD(pthread_key_create);
OLD(pthread_key_delete);
OLD(pthread_setspecific);
