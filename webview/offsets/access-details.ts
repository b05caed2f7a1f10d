import type { FromOffsetView, OffsetSelected, ViewAccess } from '../../src/features/offsets/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { facts, make } from '../kit/dom.ts';
import { accessFacts, baseName } from './access-text.ts';

/** The access that was clicked, with what can be done with it. */
export function accessDetails(access: ViewAccess, post: (message: FromOffsetView) => void): HTMLElement {
  const { number, event } = access;
  const select = (text: string, what: OffsetSelected): HTMLElement =>
    actionButton(text, {}, () => post({ kind: 'select', number, what }));
  const { site } = event;
  const hasLine = site !== undefined && site.line > 0;
  return make(
    'section',
    { class: 'access', 'aria-label': 'The access' },
    make(
      'h2',
      {},
      `${event.call}, access at ${event.recordingFile === '' ? '' : baseName(event.recordingFile)}:${event.recordingLine}`,
    ),
    make(
      'div',
      { class: 'actions' },
      access.hasSource && hasLine
        ? actionButton(`Open ${baseName(site.file)}:${site.line}`, { class: 'primary' }, () =>
            post({ kind: 'openSource', number, stay: false }),
          )
        : null,
      access.hasRecordingLine
        ? actionButton('Open the Recorded Line', {}, () => post({ kind: 'openRecording', number }))
        : null,
      hasLine ? select('Select the Source Line', 'line') : null,
      select('Select the File', 'file'),
      select(event.rank === null ? 'Select the Process' : `Select Rank ${event.rank}`, 'process'),
    ),
    facts(accessFacts(access)),
  );
}
