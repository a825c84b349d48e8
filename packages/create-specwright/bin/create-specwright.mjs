#!/usr/bin/env node
/** For `npm create`: the same as `specwright new`, which refuses an old Node.js; so no newer syntax is here, either. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const program = dirname(createRequire(import.meta.url).resolve('specwright/package.json'));
process.argv.splice(2, 0, 'new');
import(pathToFileURL(join(program, 'bin/specwright.mjs')).href);
