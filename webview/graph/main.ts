import { GRAPH, type GraphLine } from '../../src/features/graph/protocol.ts';
import { PageEnd } from '../kit/page-end.ts';
import { GraphView } from './graph-view.ts';

const page = new PageEnd<GraphLine>(GRAPH);
const view = new GraphView(document.body, page);
const fail = (message: string): void => view.fail(message);

page.listen(
  {
    graph: (made) => void view.show(made),
    offers: (offers) => view.offer(offers),
    selection: (marks) => view.highlight(marks),
    working: () => view.working(),
    failed: fail,
    select: (activities) => view.select(activities),
  },
  fail,
);
