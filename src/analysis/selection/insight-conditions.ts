import type { SiteIndex } from '../sites/call-sites.ts';
import { OPERATION, OPERATIONS, type Operation } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { namedFiles } from '../triggers/evaluate.ts';
import type { Insight } from '../triggers/insight.ts';
import { isSourceFile, NothingNamed, type EventCondition } from './event-condition.ts';
import type { SelectionInputs } from './selection-inputs.ts';
import type { SelectionPart } from './selection.ts';

/** A finding's places: call sites with the files that count there; files alone where it knows no lines. */
interface InsightPlaces {
  readonly files: ReadonlySet<FileIndex>;
  /** Files that count at each call site of the finding. */
  readonly sites: ReadonlyMap<number, ReadonlySet<number>>;
  /** 1 for calls that do what the finding is about, by call: a line may make others, too. */
  readonly isOfKind: Uint8Array;
}

/**
 * The calls at the places of a finding, on the files that it is about, of its kind. A finding may count some of these only (those below
 * a size, say): which ones depends on what came before each call, and the others at the same place belong to the picture.
 */
export function insightCondition(
  inputs: SelectionInputs,
  part: Extract<SelectionPart, { kind: 'insight' }>,
): EventCondition | NothingNamed {
  const insights = inputs.insights.filter(({ code }) => code === part.code);
  if (insights.length === 0) return new NothingNamed(`the recording has no finding ${part.code}`);
  const all = insights.map((insight) => placesOf(inputs, insight));
  const { file, line } = part;
  const places = file === undefined ? all : all.map((of) => onlyAt(inputs, of, file, line ?? 0));
  if (places.every(({ sites, files }) => sites.size === 0 && files.size === 0)) {
    return new NothingNamed(
      file === undefined
        ? `the finding ${part.code} is about the run as a whole, not about single calls`
        : `the finding ${part.code} has no place at ${file}${line === undefined ? '' : `:${line}`}`,
    );
  }
  const { siteOfNode } = inputs.callSites;
  return (chunk, i) => {
    const node = chunk.stack[i]!;
    const site = node === NONE ? NONE : siteOfNode[node]!;
    return places.some((of) => of.isOfKind[chunk.call[i]!] === 1 && isAt(of, site, chunk.file[i]!));
  };
}

export function placesOf({ metrics, trace }: SelectionInputs, insight: Insight): InsightPlaces {
  const named = new Set(insight.files.map(({ file }) => file));
  const all = namedFiles(insight);
  const sites = new Map<number, ReadonlySet<number>>();
  for (const { site, cells } of insight.sites) {
    // Cells of a place are all files that are accessed there; a list of files that is complete says which of them count.
    const here = cells.length === 0 ? named : new Set(cells.map((cell) => metrics.fileOfCell[cell]!));
    const counted = all === undefined ? here : new Set([...here].filter((file) => all.has(file)));
    sites.set(site, counted.size === 0 ? here : counted);
  }
  return { files: named, sites, isOfKind: callsOfKind(trace, insight.operations) };
}

function callsOfKind({ calls }: Trace, operations: readonly Operation[] = OPERATIONS): Uint8Array {
  const wanted = new Set(operations.map((operation) => OPERATION[operation]));
  return Uint8Array.from(calls.operation, (operation) => (wanted.has(operation) ? 1 : 0));
}

/** Whether a call from a site (or NONE) on a file is one at the finding's places. */
function isAt({ sites, files }: InsightPlaces, site: SiteIndex, file: FileIndex): boolean {
  if (sites.size > 0) return sites.get(site)?.has(file) === true;
  return files.has(file);
}

function onlyAt(
  inputs: SelectionInputs,
  { sites, isOfKind }: InsightPlaces,
  file: string,
  line: number,
): InsightPlaces {
  const here = [...sites].filter(([site]) => {
    const place = inputs.callSites.sites[site]!;
    return place.line === line && isSourceFile(inputs, place.file, file);
  });
  return { files: new Set(), sites: new Map(here), isOfKind };
}
