import path from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { fleetReportHtml } from '../../export/fleet/report-html.ts';
import { fleetReportMarkdown } from '../../export/fleet/report-markdown.ts';
import { reportDone } from '../../export/fleet/report-sections.ts';
import { jsonText } from '../../export/json-text.ts';
import { printable } from '../../export/report/report-text.ts';
import { gatherReport, type FleetReport } from '../../fleet/report/fleet-report.ts';
import { checkOutput } from '../output-file.ts';
import { VERSION } from '../version.ts';
import { moment } from './fleet-filter.ts';
import { withStore } from './fleet-query.ts';
import { writeNamed } from './written-file.ts';

interface ReportOptions {
  store: string;
  since: number;
  until?: number;
  output?: string;
  json?: true;
}

export function addFleetReport(fleet: Command): void {
  fleet
    .command('report')
    .description('what a store did since a day, on one page: use, coverage, findings, slow and changed jobs')
    .requiredOption('--store <dir>', 'folder of the store')
    .requiredOption('--since <date>', 'jobs that started then or later (UTC)', moment)
    .option('--until <date>', 'jobs that started before (UTC)', moment)
    .option(
      '-o, --output <file>',
      'FILE.html, with pictures, FILE.md or FILE.json; without it Markdown is printed',
      page,
    )
    .option('--json', 'as JSON')
    .action(async ({ store: folder, since, until, output, json: asJson }: ReportOptions) => {
      checkOutput(output, [folder]);
      await withStore(folder, async (store, signal) => {
        const report = await gatherReport(store, { from: since, ...(until !== undefined && { to: until }) }, signal);
        const text = await written(
          report,
          folder,
          asJson === true ? '.json' : path.extname(output ?? '').toLowerCase(),
        );
        if (output === undefined) process.stdout.write(text);
        else {
          writeNamed('-o', output, text);
          process.stdout.write(`${printable(reportDone(report, output))}\n`);
        }
      });
    });
}

async function written(report: FleetReport, store: string, ending: string): Promise<string> {
  const origin = `Made by I/O Lens ${VERSION} on ${new Date().toISOString().slice(0, 10)}.`;
  if (ending === '.json') return jsonText({ schema: 'iolens/fleet-report@1', store, ...report });
  return ending.startsWith('.htm')
    ? fleetReportHtml(report, store, origin)
    : fleetReportMarkdown(report, store, origin);
}

function page(file: string): string {
  if (!/\.(html?|md|json)$/i.test(file))
    throw new InvalidArgumentError('a name such as report.html, report.md or report.json is expected');
  return file;
}
