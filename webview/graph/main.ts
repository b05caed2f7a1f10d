import {
  DEFAULT_CHOICES,
  DEFAULT_DISPLAY,
  GRAPH_PROTOCOL,
  graphViewState,
  type FromGraphView,
  type GraphViewState,
  type ToGraphView,
} from '../../src/features/graph/protocol.ts';
import { GraphView } from './graph-view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromGraphView): void;
  getState(): unknown;
  setState(state: GraphViewState): void;
};

const editor = acquireVsCodeApi();
let kept: GraphViewState = graphViewState(editor.getState()) ?? {
  paths: [],
  choices: DEFAULT_CHOICES,
  display: DEFAULT_DISPLAY,
};

function keep(changed: Partial<GraphViewState>): void {
  kept = { ...kept, ...changed };
  editor.setState(kept);
}

const view = new GraphView(document.body, {
  choose: (choices) => editor.postMessage({ kind: 'choose', choices }),
  keep: (display) => keep({ display }),
  open: (activity, place) => editor.postMessage({ kind: 'open', activity, place }),
  selectActivity: (activity) => editor.postMessage({ kind: 'selectActivity', activity }),
  selectEdge: (from, to) => editor.postMessage({ kind: 'selectEdge', from, to }),
  timeline: (activity, bins) => editor.postMessage({ kind: 'timeline', activity, bins }),
  preview: (request, rules) => editor.postMessage({ kind: 'preview', request, rules }),
  save: (name, rules) => editor.postMessage({ kind: 'saveMapping', name, rules }),
  picture: (format, content) => editor.postMessage({ kind: 'picture', format, content }),
});

function show({ protocol, graph, choices, offers }: Extract<ToGraphView, { kind: 'graph' }>): void {
  if (protocol !== GRAPH_PROTOCOL) {
    view.fail('This view is from another version of I/O Lens: close and open it.');
    return;
  }
  keep({ paths: graph.paths, choices });
  view.offer(offers);
  view.show(graph, choices).then(
    () => editor.postMessage({ kind: 'drawn' }),
    (error: unknown) => view.fail(`The graph cannot be laid out: ${String(error)}`),
  );
}

window.addEventListener('message', (event: MessageEvent<ToGraphView>) => {
  const message = event.data;
  switch (message.kind) {
    case 'graph':
      show(message);
      break;
    case 'offers':
      view.offer(message.offers);
      break;
    case 'selection':
      view.highlight(message);
      break;
    case 'working':
      view.working();
      break;
    case 'error':
      view.fail(message.message);
      break;
    case 'select':
      view.select(message.activities);
      break;
    case 'timeline':
      view.showTimelines(message.activity, message.timelines);
      break;
    case 'preview':
      view.showPreview(message.request, message.preview);
      break;
  }
});

view.restore(kept.choices, kept.display);
editor.postMessage({ kind: 'ready', protocol: GRAPH_PROTOCOL });
