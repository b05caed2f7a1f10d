import * as vscode from 'vscode';
import type { TrialDocument } from '../../export/fixes/trial-document.ts';
import { expectedWords, findingWords, mediansOf, savedWords } from '../../export/fixes/trial-words.ts';
import type { TrialSubject } from './protocol.ts';

/** What is tried, as the user asked for it. */
interface AskedTrial {
  readonly title: string;
  readonly build: string;
  readonly run: string;
}

/** A trial in words for its view. What it found stays English, as findings do (docs/decisions/0032). */
export function trialSubject({ title, build, run }: AskedTrial, document: TrialDocument): TrialSubject {
  const { verdict, proven, built, buildErrors, before, after, differences, uncompared, faults, diff } = document;
  return {
    title,
    verdict,
    proven,
    commands: [
      [vscode.l10n.t('Build'), build],
      [vscode.l10n.t('Run'), run],
    ],
    buildErrors: buildErrors ?? '',
    runs: { before: before.runs, after: after.runs },
    facts: built ? factsOf(document) : [],
    differences: [...differences, ...uncompared.map((each) => vscode.l10n.t('not compared: {0}', each))],
    faults: faults.map(({ fault, before: first, after: second, equal, worse }) => ({
      fault,
      before: first,
      after: second,
      worse,
      judged: worse ? vscode.l10n.t('worse') : equal ? vscode.l10n.t('the same') : vscode.l10n.t('no worse'),
    })),
    notes: [
      ...document.varying.map((each) => vscode.l10n.t('varies by itself: {0}', each)),
      ...document.leftOut.map((each) => vscode.l10n.t('left out of the copies: {0}', each)),
      ...document.notes,
    ],
    diff,
    words: {
      keep: vscode.l10n.t('Keep'),
      discard: vscode.l10n.t('Discard'),
      copy: vscode.l10n.t('Copy as Markdown'),
      change: vscode.l10n.t('Change'),
      runs: vscode.l10n.t('Runs'),
      before: vscode.l10n.t('before'),
      after: vscode.l10n.t('after'),
      faults: vscode.l10n.t('When something fails'),
      fault: vscode.l10n.t('fault'),
      judged: vscode.l10n.t('compared'),
      differences: vscode.l10n.t('Results'),
      notes: vscode.l10n.t('Notes'),
    },
  };
}

function factsOf(document: TrialDocument): TrialSubject['facts'] {
  const results = document.equal
    ? vscode.l10n.t('equal: how it ends, standard output and all files that it writes')
    : vscode.l10n.t('different');
  const expected = expectedWords(document);
  return [
    [vscode.l10n.t('Results'), results],
    [vscode.l10n.t('Finding'), findingWords(document)],
    [vscode.l10n.t('Time'), mediansOf(document) ?? ''],
    [vscode.l10n.t('Measured'), savedWords(document)],
    ...(expected === undefined ? [] : [[vscode.l10n.t('Expected'), expected] as const]),
  ];
}
