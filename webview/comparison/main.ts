import { COMPARISON, type ComparisonLine } from '../../src/features/comparison/protocol.ts';
import { PageEnd } from '../kit/page-end.ts';
import { ComparisonView } from './comparison-view.ts';

const page = new PageEnd<ComparisonLine>(COMPARISON);
const status = document.getElementById('status')!;
const view = new ComparisonView(document.getElementById('comparison')!, page);

page.listen({ comparison: (comparison) => view.show(comparison) }, (message) => {
  status.className = 'failed';
  status.textContent = message;
});
