import {
  DEFAULT_CHOICES,
  GRAPH_PROTOCOL,
  isGraphViewState,
  type FromGraphView,
  type GraphViewState,
  type ToGraphView,
} from '../../src/messages/graph-messages.ts';
import { GraphView } from './graph-view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromGraphView): void;
  getState(): unknown;
  setState(state: GraphViewState): void;
};

const editor = acquireVsCodeApi();
const view = new GraphView(document.body, {
  choose: (choices) => {
    editor.postMessage({ kind: 'choose', choices });
  },
  open: (activity, place) => {
    editor.postMessage({ kind: 'open', activity, place });
  },
  selectActivity: (activity) => {
    editor.postMessage({ kind: 'selectActivity', activity });
  },
  selectEdge: (from, to) => {
    editor.postMessage({ kind: 'selectEdge', from, to });
  },
});

window.addEventListener('message', (event: MessageEvent<ToGraphView>) => {
  const message = event.data;
  switch (message.kind) {
    case 'graph':
      if (message.protocol !== GRAPH_PROTOCOL)
        view.fail('This view is from another version of I/O Lens: close and open it.');
      else {
        editor.setState({ paths: message.graph.paths, choices: message.choices });
        view.show(message.graph, message.choices).then(
          () => {
            editor.postMessage({ kind: 'drawn' });
          },
          (error: unknown) => {
            view.fail(`The graph cannot be laid out: ${String(error)}`);
          },
        );
      }
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
  }
});

const state = editor.getState();
view.setChoices(isGraphViewState(state) ? state.choices : DEFAULT_CHOICES);
editor.postMessage({ kind: 'ready', protocol: GRAPH_PROTOCOL });
