// Shows whether a program was started that must not be: tools in front of PATH that leave a mark, and a copy of the
// extension that would need one of them, because its own address lookup is missing.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const TOOLS = ['strace', 'addr2line', 'llvm-symbolizer', 'llvm-symbolizer-14'];
const PARTS = ['package.json', 'package.nls.json', 'dist', 'media', 'syntaxes', 'schemas', 'demo'];

export function makeTrap(root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-trap-'));
  const tools = path.join(folder, 'bin');
  const mark = path.join(folder, 'mark');
  mkdirSync(tools);
  for (const tool of TOOLS) {
    const file = path.join(tools, tool);
    writeFileSync(file, `#!/bin/sh\necho ${tool} >> ${mark}\n`);
    chmodSync(file, 0o755);
  }
  const extension = path.join(folder, 'extension');
  for (const part of PARTS) cpSync(path.join(root, part), path.join(extension, part), { recursive: true });
  rmSync(path.join(extension, 'dist/addr2line.wasm'), { force: true });
  return {
    extension,
    environment: { IOLENS_TEST_TOOLS: tools, IOLENS_TEST_MARK: mark },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
