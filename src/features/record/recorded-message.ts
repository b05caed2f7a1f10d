import * as vscode from 'vscode';
import { namedEnds } from '../../export/analysis/early-ends.ts';
import { runFigures, type RunFigures } from '../../export/analysis/run-figures.ts';
import { namedProgram } from '../../record/timed-name.ts';
import { findingsText } from '../findings/insight-tree.ts';
import type { OpenRecording } from '../recordings/recordings.ts';

/** How a recorded program ended: its exit status; undefined where that is not known. */
type ExitStatus = number | undefined;

/**
 * `heat2d: 62 % of 1.31 s is I/O, 3 findings, 660 ms could be saved.`
 * @param findings that are worth a look.
 */
export function recordedText({ paths, info, analysis }: OpenRecording, findings: number, status: ExitStatus): string {
  const program = programOf(paths);
  const figures = analysis.run === null ? undefined : runFigures(analysis.run);
  const ends =
    info.earlyEnds !== undefined
      ? ` ${vscode.l10n.t('Ended early: {0}.', namedEnds(info.earlyEnds))}`
      : figures?.isPart === true
        ? ` ${vscode.l10n.t('The recording ended early, or a part of it is lost.')}`
        : '';
  const failed = status === undefined || status === 0 ? '' : ` ${vscode.l10n.t('Its exit status is {0}.', status)}`;
  return `${program}: ${ofRun(figures, findings)}.${failed}${ends}`;
}

function ofRun(figures: RunFigures | undefined, findings: number): string {
  if (figures === undefined) return findingsText(findings);
  const { length, io, unseen, saved } = figures;
  if (figures.isIoSlight)
    return unseen.length === 0
      ? vscode.l10n.t('I/O does not matter here, {0} of {1}', io, length)
      : vscode.l10n.t('I/O calls take {0} of {1}; not all I/O is recorded', io, length);
  const share = figures.isEstimated ? vscode.l10n.t('about {0}', figures.ioShare) : figures.ioShare;
  const ofLength = vscode.l10n.t('{0} of {1} is I/O, {2}', share, length, findingsText(findings));
  return saved === undefined ? ofLength : vscode.l10n.t('{0}, {1} could be saved', ofLength, saved.time);
}

/** Where nobody gave the recording another name it has its program's. */
function programOf([path]: readonly string[]): string {
  return namedProgram(path!.split('/').at(-1)!);
}

/** Of the other open recordings the last one of the same program. */
export function recordingBefore(
  { id, paths, info }: OpenRecording,
  open: readonly OpenRecording[],
): OpenRecording | undefined {
  // What a shell or an interpreter ran is told apart by the names of recordings.
  const isSame = (other: OpenRecording): boolean => programOf(other.paths) === programOf(paths);
  const isEarlier = (other: OpenRecording): boolean => (other.info.startTime ?? 0) <= (info.startTime ?? Infinity);
  const others = open.filter((other) => other.id !== id && isSame(other) && isEarlier(other));
  return others.reduce<OpenRecording | undefined>(
    (last, other) => ((other.info.startTime ?? 0) >= (last?.info.startTime ?? 0) ? other : last),
    undefined,
  );
}
