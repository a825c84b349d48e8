#!/usr/bin/env node
/** The command of the built package. In the repository `npm run conformance` runs the sources. */
await import('../dist/cli.js');
