import type { SiteDocument } from '../../export/analysis/documents.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import type { Dismissals } from './dismissals.ts';

/** The costliest place of a recording's findings of which the source is here; undefined where there is none. */
export function worstLine({ analysis }: OpenRecording, dismissals: Dismissals): SiteDocument | undefined {
  return analysis.insights
    .flatMap((insight) => dismissals.split(insight).kept)
    .find(({ isHere, line }) => isHere && line > 0);
}
