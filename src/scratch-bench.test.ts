import { test } from 'vitest';
import { layerTrace, layerFindings, layerCallsOf, type LayerRow } from '../test/layer-rows.ts';
test('speed', () => {
  const rows: LayerRow[] = [];
  for (let n = 0; n < 500_000; n++) {
    const stream = n % 4;
    const parent = rows.push({ call: 'MPI_File_write_at', start: n * 100, duration: 90, stream, bytes: 640, offset: n * 640, line: 1 + (n % 7) }) - 1;
    rows.push({ call: 'pwrite', start: n * 100 + 1, duration: 80, stream, bytes: 640, offset: n * 640, parent, line: 1 + (n % 7) });
  }
  const trace = layerTrace(rows, { ranks: 4 });
  for (let k = 0; k < 4; k++) { const t = performance.now(); layerCallsOf(trace); console.log('gather', performance.now() - t); }
  for (let k = 0; k < 3; k++) { const t = performance.now(); layerFindings(trace); console.log('all findings with metrics', performance.now() - t); }
  const coll: LayerRow[] = [];
  for (let n = 0; n < 250_000; n++) for (let stream = 0; stream < 4; stream++) {
    const parent = coll.push({ call: 'MPI_File_write_at_all', collective: true, start: n * 100 + stream, duration: 90, stream, bytes: 640, offset: (n * 4 + stream) * 640, line: 1 }) - 1;
    if (stream === 0) coll.push({ call: 'pwrite', start: n * 100 + 1, duration: 80, stream, bytes: 2560, offset: n * 2560, parent, line: 1 });
  }
  const t2 = layerTrace(coll, { ranks: 4 });
  for (let k = 0; k < 3; k++) { const t = performance.now(); layerCallsOf(t2); console.log('gather coll', performance.now() - t); }
  for (let k = 0; k < 3; k++) { const t = performance.now(); layerFindings(t2); console.log('coll all', performance.now() - t); }
}, 120000);
