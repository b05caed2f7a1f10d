/* FIX posix-small-writes repair: loops declare nothing in C89 */
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  double row[40];
  int fd, i;
  for (i = 0; i < 40; i++)
    row[i] = i;
  fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (i = 0; i < 40; i++)
    if (write(fd, &row[i], sizeof row[i]) != sizeof row[i]) /* HERE */
      return 1;
  return close(fd);
}
