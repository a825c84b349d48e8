#!/usr/bin/env node
/** The command of the built package: in the checkout `npm run build:packages` builds it. */
await import('../dist/main.js');
