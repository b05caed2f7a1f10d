import { formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** Code for files that are opened again and again. */

/** @param isOnlyRead nothing is written to the file: an example that writes would spoil it. */
export function openOnce(count: number, isOnlyRead: boolean): Snippet {
  const [flags, access] = isOnlyRead
    ? ['O_RDONLY', 'pread(fd, part, length, offset[step]);']
    : ['flags, 0644', 'write(fd, line, length);'];
  return {
    language: 'c',
    title: 'Open before the loop, close behind it',
    code: `int fd = open(path, ${flags}); /* once instead of ${formatCount(count)} times */
for (int step = 0; step < steps; step++)
    ${access}
close(fd);
`,
  };
}

export function openOnceIn(count: number, isOnlyRead: boolean): Snippet[] {
  const python = isOnlyRead
    ? `with open(path, "rb") as source:  # once instead of ${formatCount(count)} times
    for offset in offsets:
        use(os.pread(source.fileno(), length, offset))
`
    : `with open(path, mode) as out:  # once instead of ${formatCount(count)} times, in the mode of now
    for line in lines:
        out.write(line)
`;
  return [
    {
      language: 'fortran',
      title: 'Open before the loop, close behind it (Fortran)',
      code: `open (newunit=unit, file=path${isOnlyRead ? ", status='old', action='read'" : ''})   ! once instead of ${formatCount(count)} times
do step = 1, steps
  call ${isOnlyRead ? 'read' : 'write'}_step(unit, step)   ! the statements of now, without open and close
end do
close (unit)
`,
    },
    { language: 'python', title: 'Open before the loop, close behind it (Python)', code: python },
  ];
}

export function readOnce(count: number): Snippet {
  return {
    language: 'c',
    title: 'Read it once and keep it',
    code: `static struct settings kept;
static bool have = false;
if (!have) /* the reading of now, once instead of ${formatCount(count)} times */
    have = read_settings(path, &kept);
`,
  };
}

export function readOnceIn(count: number): Snippet[] {
  return [
    {
      language: 'fortran',
      title: 'Read it once and keep it (Fortran)',
      code: `logical, save :: have = .false.   ! beside the variables that are read, which are saved too
if (.not. have) then
  open (newunit=unit, file=path, status='old', action='read')   ! once instead of ${formatCount(count)} times
  call read_settings(unit)   ! the read statements of now
  close (unit)
  have = .true.
end if
`,
    },
    {
      language: 'python',
      title: 'Read it once and keep it (Python)',
      code: `@functools.cache  # once for each path instead of ${formatCount(count)} times
def settings(path):
    return json.loads(pathlib.Path(path).read_text())  # or what reads it now
`,
    },
  ];
}

export function keptOpen(): Snippet {
  return {
    language: 'c',
    title: 'Keep descriptors in a table',
    code: `int fd = find(table, path); /* -1 where it is not open yet */
if (fd < 0) {
    fd = open(path, flags, 0644);
    insert(table, path, fd); /* closes the one unused for longest where the table is full */
}
`,
  };
}

export function keptOpenInPython(): Snippet {
  return {
    language: 'python',
    title: 'Keep open what is used again (Python)',
    code: `@functools.lru_cache(maxsize=256)  # what it forgets is closed when nobody uses it any more
def opened(path):
    return open(path, "rb")
`,
  };
}
