import path from 'node:path';
import { copyLogs } from '../support/copied-logs.ts';

/** Copies small Darshan logs under fresh job numbers: FOLDER COUNT LOG… */
const [, , folder, count, ...logs] = process.argv;
await copyLogs(logs, path.resolve(folder!), Number(count));
