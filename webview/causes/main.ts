import { CAUSES, type CausesLine } from '../../src/features/causes/protocol.ts';
import { PageEnd } from '../kit/page-end.ts';
import { onThemeChange } from '../kit/theme.ts';
import { CausesView } from './causes-view.ts';

const page = new PageEnd<CausesLine>(CAUSES);
const status = document.getElementById('status')!;
const say = (message: string): void => {
  status.textContent = message;
};
const view = new CausesView(document.getElementById('causes')!, page, say);

page.listen({ subject: (subject) => view.show(subject), said: say }, say);
onThemeChange(() => view.redraw());
