/** The `key=value` lines of a job: what the program and Darshan noted of themselves. */

/** Version of Darshan that wrote the log; '' when it does not say. */
export function libraryVersion(metadata: readonly (readonly [key: string, value: string])[]): string {
  return metadata.find(([key]) => key === 'lib_ver')?.[1] ?? '';
}

/** Hints to MPI-IO (`romio_no_indep_rw=true;cb_nodes=4` under `h`); `no` stands for none. */
export function mpiHints(
  metadata: readonly (readonly [key: string, value: string])[],
): [name: string, value: string][] {
  const texts = metadata.filter(([key, value]) => key === 'h' && value !== 'no').map(([, value]) => value);
  return texts
    .flatMap((text) => text.split(';'))
    .filter((hint) => hint.trim() !== '')
    .map((hint) => {
      const at = hint.indexOf('=');
      return at < 0 ? [hint.trim(), ''] : [hint.slice(0, at).trim(), hint.slice(at + 1).trim()];
    });
}
