/** Lets Node load test files: it installs the hooks of `loader.mjs` in this process, once. */
import * as module from 'node:module';
import { load, resolve } from './loader.mjs';

// Node 20 has hooks in a thread only; later versions warn of those.
if (module.registerHooks === undefined) module.register('./loader.mjs', import.meta.url);
else module.registerHooks({ resolve, load });

export { sourceMapOf } from './compile.mjs';
export { setGlobals } from './globals.mjs';
