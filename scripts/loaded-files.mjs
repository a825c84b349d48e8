/** Which files of the packages a process really loads: by `import '@specwright/server'`, and until the first response of the README's server. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVER = new URL('../packages/server/test/readme/server.ts', import.meta.url);

/** Notes each module that is loaded, in the thread of the hooks. */
const hooks = (file) => `import { appendFileSync } from 'node:fs';
  export const load = (url, context, next) => (appendFileSync(${JSON.stringify(file)}, url + '\\n'), next(url, context));`;

/** As after a build, which proves that the generated document is what the spec says: neither is read anew. */
const PROOF = `import { fileURLToPath } from 'node:url';
  const { proveSpec } = await import('@specwright/contract/document');
  const at = (name) => fileURLToPath(new URL(name, ${JSON.stringify(SERVER.href)}));
  console.log(JSON.stringify([proveSpec(at('openapi.yaml'), at('generated/document.json'))]));`;

const program = (file, proof) => `import { Server } from 'node:net';
  import { appendFileSync } from 'node:fs';
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks(file))}));
  globalThis.SPECWRIGHT_SPECS = ${proof};
  await import('@specwright/server');
  appendFileSync(${JSON.stringify(file)}, '\\n');
  process.env.PORT = '0';
  const { listen } = Server.prototype;
  const listening = new Promise((resolve) => {
    Server.prototype.listen = function (...args) {
      return listen.apply(this.once('listening', () => resolve(this.address().port)), args);
    };
  });
  await import(${JSON.stringify(SERVER.href)});
  const url = 'http://localhost:' + (await listening) + '/notes';
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  const send = () => fetch(url, { method: 'POST', headers, body: JSON.stringify({ text: 'a' }) });
  let response = await send();
  // On a machine with much else to do it may take longer than the server gives a request.
  for (let i = 0; response.status === 503 && i < 20; i++) response = await send();
  if (response.status !== 201) throw new Error('the server answered ' + response.status);
  process.exit(0);`;

function run(text) {
  const args = ['--conditions=@specwright/source', '--import', 'tsx', '--input-type=module', '-e', text];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Error(`the files that are loaded could not be found: ${stderr}${stdout}`);
  return stdout;
}

const linesOf = (paths) => paths.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);

/** Files of `src` of the packages and their lines, and the third-party packages that are loaded. */
function summarize(urls) {
  const paths = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url.split('?')[0]));
  const own = [...new Set(paths.filter((path) => /[\\/]packages[\\/][^\\/]+[\\/]src[\\/]/.test(path)))];
  const packages = paths.flatMap((path) => /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1] ?? []);
  return { files: own.length, lines: linesOf(own), packages: [...new Set(packages)] };
}

/** `atImport` and `atResponse`, each with files and lines. */
export function loadedFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-'));
  try {
    const file = join(folder, 'urls');
    run(program(file, run(PROOF)));
    const [atImport = '', after = ''] = readFileSync(file, 'utf8').split('\n\n');
    const imported = atImport.split('\n');
    return { atImport: summarize(imported), atResponse: summarize([...imported, ...after.split('\n')]) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
