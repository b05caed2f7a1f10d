/* FIX sync-after-every-write example: each record is acknowledged to another process when it is safe */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int answers[2], fd = open("journal", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    char answer;
    if (pipe(answers) != 0)
        return 1;
    if (fork() == 0) {
        while (read(answers[0], &answer, 1) == 1 && answer != 'z')
            printf("safe %c\n", answer);
        fflush(stdout);
        _exit(0);
    }
    for (int i = 0; i < 5; i++) {
        if (write(fd, "record\n", 7) != 7)
            return 1;
        if (fsync(fd) != 0) // HERE
            return 1;
        answer = 'a' + i;
        if (write(answers[1], &answer, 1) != 1)
            return 1;
    }
    if (write(answers[1], "z", 1) != 1)
        return 1;
    wait(NULL);
    return close(fd);
}
