/** A page of another origin with the generated client: what a front end in development is. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import ts from 'typescript';
import { listenOnFreePort } from 'specwright/testing';

const MODULE = new URL('../../generated/client.ts', import.meta.url);
const HTML = `<!doctype html><title>app</title><link rel="icon" href="data:,"><script type="module">
import * as petStore from '/client.js';
globalThis.petStore = petStore;
</script>`;

/** Serves the page, which has the client's module as `petStore`. */
export async function serveClientPage() {
  const { outputText } = ts.transpileModule(await readFile(MODULE, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  return listenOnFreePort(
    createServer(({ url }, response) => {
      const [type, text] = url === '/client.js' ? ['text/javascript', outputText] : ['text/html', HTML];
      response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(text);
    }),
  );
}
