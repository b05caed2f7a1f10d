import { loadFormatOf, type LoadFormat } from '../../fleet/server-load/load-source.ts';
import { readJobstats } from '../../fleet/server-load/read-jobstats.ts';
import { readPrometheus } from '../../fleet/server-load/read-prometheus.ts';
import { headOf, isNamedAsRecording, type SourceFile } from './file-head.ts';
import type { SourceRows } from './source.ts';

/**
 * What servers did, where files are jobstats of Lustre or come from Prometheus; undefined for other files.
 * @param log key of the content.
 * @throws Error in words for the user when they are such files, and nothing of them can be read.
 */
export async function serverLoadOf(
  files: readonly SourceFile[],
  log: string,
  signal?: AbortSignal,
): Promise<SourceRows | undefined> {
  const known: { readonly file: SourceFile; readonly format: LoadFormat }[] = [];
  const others: string[] = [];
  for (const file of files) {
    const format = isNamedAsRecording(file.path) ? undefined : loadFormatOf(await headOf(file));
    if (format === undefined) others.push(`${file.name}: neither jobstats nor of Prometheus, left out`);
    else known.push({ file, format });
  }
  if (known.length === 0) return undefined;
  const jobstats = known.filter(({ format }) => format === 'jobstats').map(({ file }) => file);
  const samples = known.flatMap(({ file, format }) => (format === 'jobstats' ? [] : [{ file, format }]));
  const loads = [
    ...(jobstats.length > 0 ? [await readJobstats(jobstats, log, signal)] : []),
    ...(samples.length > 0 ? [await readPrometheus(samples, log, signal)] : []),
  ];
  return {
    format: jobstats.length > 0 ? 'jobstats' : 'prometheus',
    rows: { server_load: loads.flatMap(({ rows }) => rows) },
    damage: [...others, ...loads.flatMap(({ damage }) => damage)],
  };
}
