#!/usr/bin/env node
/** `npx specwright`, where no project has it: the program of @specwright/cli, which refuses an old Node.js; so no newer syntax is here, either. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const cli = dirname(createRequire(import.meta.url).resolve('@specwright/cli/package.json'));
import(pathToFileURL(join(cli, 'bin/specwright.mjs')).href);
