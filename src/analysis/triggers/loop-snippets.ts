import type { SiteLoop } from '../loops/site-loops.ts';
import { counted, formatBytes, formatCount } from '../../base/quantities.ts';
import type { Snippet } from './insight.ts';

/** Code for loops of transfers, with the numbers of the loop in it. */

/** Larger calls bring no more, and need memory. */
const LARGEST_CALL = 64 << 20;

interface LargerCalls {
  /** Of one call. */
  readonly bytes: number;
  readonly calls: number;
  /** Calls of the loop now. */
  readonly insteadOf: number;
  /** Runs of the loop are not all of the same length. */
  readonly isAverage: boolean;
}

/** What one run of a contiguous loop becomes. */
export function largerCalls(loop: SiteLoop): LargerCalls {
  const { iterations, fewestIterations, allIterations, runs, transfers, movedBytes } = loop;
  const all = Math.round((movedBytes * allIterations) / runs);
  return {
    bytes: Math.min(all, LARGEST_CALL),
    calls: Math.ceil(all / LARGEST_CALL),
    insteadOf: Math.round((allIterations * transfers) / runs),
    isAverage: fewestIterations < iterations,
  };
}

/** One call for all iterations of a contiguous loop. */
export function oneLargerCall(loop: SiteLoop, reads: boolean): Snippet[] {
  const verb = reads ? 'read' : 'write';
  const { bytes, calls, insteadOf, isAverage } = largerCalls(loop);
  const done = `${counted(insteadOf, verb)} become ${formatCount(calls)} of ${formatBytes(bytes)}${isAverage ? ' on average' : ''}`;
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
