import type { SiteLoop } from '../loops/site-loops.ts';
import { counted, formatBytes, formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** Code for loops of transfers, with the numbers of the loop in it. */

/** Larger calls bring no more, and need memory. */
const LARGEST_CALL = 64 << 20;

/** What a contiguous loop becomes: bytes of one call, and the number of them. */
export function largerCalls({ iterations, bytes }: SiteLoop): { bytes: number; calls: number } {
  const all = iterations * bytes;
  return { bytes: Math.min(all, LARGEST_CALL), calls: Math.ceil(all / LARGEST_CALL) };
}

/** One call for all iterations of a contiguous loop. */
export function oneLargerCall(loop: SiteLoop, reads: boolean): Snippet[] {
  const verb = reads ? 'read' : 'write';
  const { bytes, calls } = largerCalls(loop);
  const now = `${counted(loop.iterations * loop.transfers, verb)} of ${formatBytes(loop.bytes / loop.transfers)}`;
  const done = `${now} become ${formatCount(calls)} of ${formatBytes(bytes)}`;
  const inC = reads
    ? `ssize_t moved = read(fd, block, records * size);
for (size_t i = 0; i < records; i++)
    use(block + i * size);`
    : `for (size_t i = 0; i < records; i++)
    memcpy(block + i * size, record[i], size);
ssize_t moved = write(fd, block, records * size);`;
  return [
    {
      language: 'c',
      title: `One ${verb} for many records`,
      code: `/* ${done}. */\nchar *block = malloc(records * size);\n${inC}\nfree(block);\n`,
    },
    {
      language: 'fortran',
      title: 'One statement for the whole array (Fortran)',
      code: `! ${done}\n${verb} (unit) values(1:records)\n`,
    },
    {
      language: 'python',
      title: 'One call for many records (Python)',
      code: reads
        ? `# ${done}\nblock = memoryview(file.read(records * size))\npieces = [block[i * size:(i + 1) * size] for i in range(records)]\n`
        : `# ${done}\nfile.write(b"".join(pieces))\n`,
    },
  ];
}

/** A file view with one collective call, for a loop with a constant step. */
export function stridedView(loop: SiteLoop, reads: boolean): Snippet[] {
  const { iterations, bytes, stepBytes } = loop;
  const call = reads ? 'read' : 'write';
  const facts = `${formatCount(iterations)} pieces of ${String(bytes)} bytes, ${String(stepBytes)} bytes from one to the next`;
  return [
    {
      language: 'c',
      title: 'A file view and one collective call (MPI-IO)',
      code: `/* ${facts} */
MPI_Datatype piece, pieces;
MPI_Type_contiguous(${String(bytes)}, MPI_BYTE, &piece);
MPI_Type_create_hvector(${String(iterations)}, 1, ${String(stepBytes)}, piece, &pieces);
MPI_Type_commit(&pieces);
MPI_File_set_view(file, first, MPI_BYTE, pieces, "native", MPI_INFO_NULL);
MPI_File_${call}_all(file, buffer, ${String(iterations)}, piece, MPI_STATUS_IGNORE);
MPI_Type_free(&pieces);
MPI_Type_free(&piece);
`,
    },
    {
      language: 'fortran',
      title: 'A file view and one collective call (Fortran)',
      code: `! ${facts}
call MPI_Type_contiguous(${String(bytes)}, MPI_BYTE, piece, ierror)
call MPI_Type_create_hvector(${String(iterations)}, 1, ${String(stepBytes)}_MPI_ADDRESS_KIND, piece, pieces, ierror)
call MPI_Type_commit(pieces, ierror)
call MPI_File_set_view(file, first, MPI_BYTE, pieces, 'native', MPI_INFO_NULL, ierror)
call MPI_File_${call}_all(file, buffer, ${String(iterations)}, piece, MPI_STATUS_IGNORE, ierror)
`,
    },
    {
      language: 'python',
      title: 'A file view and one collective call (mpi4py)',
      code: `# ${facts}
pieces = MPI.BYTE.Create_contiguous(${String(bytes)}).Create_hvector(${String(iterations)}, 1, ${String(stepBytes)}).Commit()
file.Set_view(first, MPI.BYTE, pieces)
file.${reads ? 'Read' : 'Write'}_all(buffer)
`,
    },
  ];
}
