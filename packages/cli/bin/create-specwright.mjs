#!/usr/bin/env node
/** For `npm create`: the same as `specwright new`. */
process.argv.splice(2, 0, 'new');
await import('./specwright.mjs');
