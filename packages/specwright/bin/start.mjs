/** Starts `specwright` under a Node.js that can run it: from `dist/` in an installed package, from source in the checkout that it is developed in. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stopWithShell } from './stop-with-shell.mjs';

const source = new URL('../src/main.ts', import.meta.url);
// An installed package has its sources, too, for source maps, and not what builds them.
const isCheckout = existsSync(new URL('../tsconfig.build.json', import.meta.url));
stopWithShell();
const [, , command, program = '-'] = process.argv;
if (command === 'run' && !program.startsWith('-')) {
  await import('./run.mjs');
} else if (isCheckout) {
  // The condition is an argument of Node, so it takes another process.
  const options = ['--conditions=@specwright/source', '--import', findLoader()];
  const child = spawn(process.execPath, [...options, fileURLToPath(source), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes: this one waits for the other to end.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  // Modules of the project are TypeScript.
  (await import('tsx/esm/api')).register();
  await import('../dist/main.js');
}

/** The first thing that is missing where packages are not installed. */
function findLoader() {
  try {
    return import.meta.resolve('tsx');
  } catch {
    console.error('the packages are not installed: npm ci');
    process.exit(1);
  }
}
