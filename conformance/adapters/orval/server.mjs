/** The application that orval generated, with a body for each of its handlers; it checks requests and responses of 200 by Zod. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { port } from '../shared.mjs';

for (const name of readdirSync('.generated/handlers')) {
  const file = `.generated/handlers/${name}`;
  const call = `import { handle } from '../../handle.mjs';\nconst run = (c: any) => handle('${name.replace(/\.ts$/, '')}', c);\n`;
  writeFileSync(file, call + readFileSync(file, 'utf8').replace(/async \(c: \w+\) => \{\s*\}/g, 'run'));
}
const { default: app } = await import('./.generated/api.ts');
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
