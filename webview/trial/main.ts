import { TRIAL, type TrialLine } from '../../src/features/fixes/protocol.ts';
import { PageEnd } from '../kit/page-end.ts';
import { TrialView } from './trial-view.ts';

const page = new PageEnd<TrialLine>(TRIAL);
const status = document.getElementById('status')!;
const say = (message: string): void => {
  status.className = 'said';
  status.textContent = message;
};
const view = new TrialView(document.getElementById('trial')!, page);

page.listen({ subject: (subject) => view.show(subject), said: say }, say);
