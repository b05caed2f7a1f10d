import { OFFSETS, type OffsetsLine } from '../../src/features/offsets/protocol.ts';
import { PageEnd } from '../kit/page-end.ts';
import { onThemeChange } from '../kit/theme.ts';
import { OffsetsView } from './offsets-view.ts';

const page = new PageEnd<OffsetsLine>(OFFSETS);
const status = document.getElementById('status')!;
const say = (message: string): void => {
  status.textContent = message;
};
const view = new OffsetsView(document.getElementById('offsets')!, page, say);

page.listen({ subject: (subject) => view.show(subject), showOperations: () => view.showOperations(), said: say }, say);
onThemeChange(() => view.recolour());
