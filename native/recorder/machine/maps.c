/* What is mapped into the process: /proc/self/maps. */
#include "maps.h"
#include "../recorder.h"
#include <fcntl.h>

/* Reads /proc/self/maps byte by byte. */
struct maps {
    int fd;
    char bytes[4096];
    size_t at;
    size_t count;
};

static int next_byte(struct maps *maps)
{
    if (maps->at == maps->count) {
        long count = kernel_read(maps->fd, maps->bytes, sizeof maps->bytes);
        if (count <= 0) return -1;
        maps->count = (size_t)count;
        maps->at = 0;
    }
    return (unsigned char)maps->bytes[maps->at++];
}

static int next_number(struct maps *maps, uintptr_t *number)
{
    for (*number = 0;;) {
        int byte = next_byte(maps);
        if (byte >= '0' && byte <= '9') *number = *number << 4 | (uintptr_t)(byte - '0');
        else if (byte >= 'a' && byte <= 'f') *number = *number << 4 | (uintptr_t)(byte - 'a' + 10);
        else return byte;
    }
}

long mapped_path(uintptr_t address, char *path, size_t size)
{
    static struct maps maps;
    long length = 0;
    maps.fd = (int)kernel_open("/proc/self/maps", O_RDONLY, 0);
    maps.at = maps.count = 0;
    if (maps.fd < 0) return 0;
    for (int byte = 0; byte >= 0 && length == 0;) {
        uintptr_t from, to;
        if (next_number(&maps, &from) != '-' || next_number(&maps, &to) != ' ') break;
        bool is_meant = address >= from && address < to;
        while ((byte = next_byte(&maps)) >= 0 && byte != '\n')
            if (is_meant && (length > 0 || byte == '/' || byte == '[') && length < (long)size - 1) path[length++] = (char)byte;
        if (is_meant) break;
    }
    kernel_close(maps.fd);
    return length;
}
