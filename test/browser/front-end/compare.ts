/**
 * Prints what the page takes with each client, as the table of docs/how-to/clients.md: `npm ci --prefix test/browser/front-end/peers` first.
 *
 * A cast is an `as` that tells the compiler what a client does not.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import ts from 'typescript';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PEERS = join(HERE, 'peers');
const SPEC = fileURLToPath(new URL('../../../generated/document.json', import.meta.url));

const run = (program: string, ...args: string[]) =>
  execFileSync(join(PEERS, 'node_modules/.bin', program), args, { cwd: PEERS, stdio: ['ignore', 'ignore', 'inherit'] });
run('openapi-ts', '-i', SPEC, '-o', 'generated/hey-api', '-c', '@hey-api/client-fetch');
const mutator = { path: join(PEERS, 'orval-fetch.ts'), name: 'send' };
const orval = { input: SPEC, output: { target: join(PEERS, 'generated/orval.ts'), client: 'fetch', override: { mutator } } };
writeFileSync(join(PEERS, 'generated/orval.config.mjs'), `export default ${JSON.stringify({ page: orval })};`);
run('orval', '--config', 'generated/orval.config.mjs');

const PAGES: readonly (readonly [client: string, ...files: string[]])[] = [
  ['this client', 'specwright.ts'],
  ['hey-api 0.99', 'peers/hey-api.ts'],
  ['orval 8.38', 'peers/orval.ts', 'peers/orval-fetch.ts'],
];

/** Lines that are not blank, without comments; casts. */
function count(files: readonly string[]): { lines: number; casts: number } {
  let [lines, casts] = [0, 0];
  for (const file of files) {
    const text = readFileSync(join(HERE, file), 'utf8').replace(/^\s*(\/\*\*.*\*\/|\/\/.*)$/gm, '');
    lines += text.split('\n').filter((line) => line.trim() !== '').length;
    const visit = (node: ts.Node): void => {
      if (ts.isAsExpression(node)) casts++;
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022));
  }
  return { lines, casts };
}

for (const [client, ...files] of PAGES) {
  const { outputFiles } = await build({
    entryPoints: [join(HERE, files[0] ?? '')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const { lines, casts } = count(files);
  const bytes = gzipSync(outputFiles[0]?.contents ?? '').length;
  console.log(`| ${client} | ${lines} | ${casts} | ${(bytes / 1000).toFixed(1)} KB |`);
}
