/* FIX open-close-in-loop example: close gives back the lock of the file */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int note(int step)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644); // HERE
    if (fcntl(fd, F_SETLK, &lock) != 0) {
        close(fd);
        return -1;
    }
    dprintf(fd, "step %d\n", step);
    return close(fd);
}

int main(void)
{
    int status = 0;
    for (int step = 0; step < 5; step++) {
        note(step);
        if (fork() == 0)
            _exit(note(-step) == 0 ? 3 : 4);
        wait(&status);
        printf("%d\n", WEXITSTATUS(status));
        fflush(stdout);
    }
    return 0;
}
