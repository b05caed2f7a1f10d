/** What is known of file servers, by the content of a file. */
export type LoadFormat = 'jobstats' | 'openmetrics' | 'prometheus-range';

const JOBSTATS = /^(?:(?:obdfilter|mdt)\.\S+\.job_stats=|job_stats:\s*$)/m;
const OPENMETRICS =
  /^(?:# (?:TYPE|HELP) (?:lustre_|node_disk_|node_nfsd_)\w+ |(?:lustre_|node_disk_|node_nfsd_)\w+(?:\{[^\n]*\})? +(?:NaN|[+-]?[\d.])|\{__name__="(?:lustre_|node_disk_|node_nfsd_)\w+")/m;
const RANGE = /^\s*\{\s*"(?:status|data|isPartial|infos|warnings)"\s*:[^]*?"(?:resultType|errorType)"\s*:/;

/** @param head its first bytes, 64 KiB or all of them. */
export function loadFormatOf(head: Uint8Array): LoadFormat | undefined {
  if (head.includes(0)) return undefined;
  const text = new TextDecoder().decode(head).replace(/^\uFEFF/, '');
  if (RANGE.test(text.slice(0, 4096))) return 'prometheus-range';
  if (JOBSTATS.test(text)) return 'jobstats';
  return OPENMETRICS.test(text) ? 'openmetrics' : undefined;
}
