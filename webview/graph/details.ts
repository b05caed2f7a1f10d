import type { ViewGraph, ViewNode } from '../../src/messages/graph-messages.ts';

/** What stands below the graph: the selected node with its source lines, the activity log, and the nodes as a table. */
export function fillSelection(
  parent: HTMLElement,
  node: ViewNode | undefined,
  open: (activity: string, place: number) => void,
): void {
  parent.replaceChildren();
  if (node === undefined) return;
  const text = document.createElement('span');
  text.textContent = `${node.text.description} `;
  parent.append(text);
  node.places.forEach(({ label }, place) => {
    const link = document.createElement('button');
    link.type = 'button';
    link.className = 'link';
    link.textContent = label;
    link.addEventListener('click', () => {
      open(node.activity, place);
    });
    parent.append(link);
  });
  if (node.places.length === 0) parent.append('no source line');
}

const MOST_RUNS = 12;

export function fillActivityLog(parent: HTMLElement, graph: ViewGraph): void {
  const rows = graph.activityLog.map(({ multiplicity, cases, events, trace, cut }) => {
    const runs = trace
      .slice(0, MOST_RUNS)
      .map(([activity, times]) => (times === 1 ? activity : `${activity} ×${times}`));
    const more = cut || trace.length > MOST_RUNS ? ', …' : '';
    return [
      multiplicity.toLocaleString('en-US'),
      cases.join(', '),
      events.toLocaleString('en-US'),
      `⟨${runs.join(', ')}${more}⟩`,
    ];
  });
  parent.replaceChildren(table(['cases that share it', 'which', 'events', 'trace'], rows));
}

export function fillNodeTable(parent: HTMLElement, graph: ViewGraph): void {
  const nodes = [...graph.nodes].sort((a, b) => b.durationNs - a.durationNs);
  const rows = nodes.map((node) => [
    node.activity,
    node.events.toLocaleString('en-US'),
    node.text.load,
    node.text.rate,
    node.places.map(({ label }) => label).join(', '),
  ]);
  parent.replaceChildren(table(['activity', 'events', 'load', 'data rate', 'source'], rows));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): HTMLTableElement {
  const made = document.createElement('table');
  const line = (cells: readonly string[], name: 'th' | 'td'): HTMLTableRowElement => {
    const row = document.createElement('tr');
    for (const cell of cells) {
      const element = document.createElement(name);
      element.textContent = cell;
      if (name === 'th') element.setAttribute('scope', 'col');
      row.append(element);
    }
    return row;
  };
  const top = document.createElement('thead');
  top.append(line(head, 'th'));
  const body = document.createElement('tbody');
  body.append(...rows.map((row) => line(row, 'td')));
  made.append(top, body);
  return made;
}
