import type { OffsetsLine, OffsetSelected, ViewAccess } from '../../src/features/offsets/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { facts, make } from '../kit/dom.ts';
import type { PageEnd } from '../kit/page-end.ts';
import { accessFacts, baseName } from './access-text.ts';

/** The access that was clicked, with what can be done with it. */
export function accessDetails(access: ViewAccess, page: PageEnd<OffsetsLine>): HTMLElement {
  const { number, event } = access;
  const select = (text: string, what: OffsetSelected): HTMLElement =>
    actionButton(text, {}, () => page.say('select', { number, what }));
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
            page.say('openSource', { number, stay: false }),
          )
        : null,
      access.hasRecordingLine
        ? actionButton('Open the Recorded Line', {}, () => page.say('openRecording', { number }))
        : null,
      hasLine ? select('Select the Source Line', 'line') : null,
      select('Select the File', 'file'),
      select(event.rank === null ? 'Select the Process' : `Select Rank ${event.rank}`, 'process'),
    ),
    facts(accessFacts(access)),
  );
}
