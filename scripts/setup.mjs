// npm run setup: installs what is needed and builds everything.
import { setUp } from './machine.mjs';

setUp();
