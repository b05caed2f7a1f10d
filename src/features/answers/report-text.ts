import { machine } from '#machine';
import ELK from 'elkjs/lib/elk-api.js';
import { drawnGraphs } from '../../export/graph/graph-svg.ts';
import { reportHtml } from '../../export/report/report-html.ts';
import { analysisMarkdown } from '../../export/report/report-markdown.ts';
import type { ReportMaterial } from '../../export/report/report-material.ts';

/** Forms of the report that are written for people. */
type PrintedFormat = 'html' | 'markdown';

export interface PrintedReport {
  readonly format: PrintedFormat;
  /** Who made the report, and when. */
  readonly origin: string;
  /** Folders that are left out of paths of sources. */
  readonly folders: readonly string[];
}

type LayoutEngine = InstanceType<typeof ELK>;

/** @param engine lays graphs out; asked for only when there is one. */
export async function reportText(
  material: ReportMaterial,
  { format, origin, folders }: PrintedReport,
  engine: () => Promise<LayoutEngine>,
): Promise<string> {
  const place = (file: string): string => {
    const folder = folders.find((each) => file.startsWith(`${each}/`));
    return folder === undefined ? file : file.slice(folder.length + 1);
  };
  if (format === 'markdown') {
    return analysisMarkdown(
      material.analysis,
      place,
      material.recordings.map(({ job }) => job),
    );
  }
  return reportHtml(material, { graphs: await drawnGraphs(material, engine), origin, place });
}

/**
 * elkjs in this thread, from the script that the graph's view starts as a web worker: bundled once more it would make the
 * package a sixth larger.
 *
 * @param script the text of elk-worker.min.js.
 */
export function shippedLayoutEngine(script: Uint8Array): LayoutEngine {
  const module = { exports: {} as { Worker: new (url?: string) => Worker } };
  // Where there is no `self` it hands out a class in place of starting to listen.
  const run = machine.compile(new TextDecoder().decode(script), ['module', 'exports', 'self', 'global']);
  run(module, module.exports, undefined, globalThis);
  return new ELK({ workerFactory: (url) => new module.exports.Worker(url) });
}
