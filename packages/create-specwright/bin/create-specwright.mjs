#!/usr/bin/env node
/**
 * For `npm create`: the same as `specwright new`, which refuses an old Node.js; so no newer syntax is here, either. npm is silent while it
 * fetches packages: this one has no dependencies, so that it starts at once, and says that it fetches the tool.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROGRESS_INTERVAL_MS = 5000;
const load = createRequire(import.meta.url);
const args = process.argv.slice(2);

function findTool() {
  try {
    return dirname(load.resolve('specwright/package.json'));
  } catch {
    return undefined;
  }
}

/** Runs the tool by npm, which fetches it first where it does not have it. */
function runTool(toolArgs, stdio, onExit) {
  const npmArgs = ['exec', '--yes', `--package=specwright@${load('../package.json').version}`, '--', 'specwright', ...toolArgs];
  const npm = process.env.npm_execpath || '';
  const child = npm.endsWith('npm-cli.js')
    ? spawn(process.execPath, [npm, ...npmArgs], { stdio })
    : spawn('npm', npmArgs, { stdio, shell: process.platform === 'win32' });
  child.once('error', (error) => {
    console.error(`error: npm does not start: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', onExit);
}

function fetchTool() {
  console.log('fetching specwright, 55 MB with its packages');
  const began = Date.now();
  const progress = setInterval(
    () => console.log(`  still fetching after ${Math.round((Date.now() - began) / 1000)} s`),
    PROGRESS_INTERVAL_MS,
  );
  runTool(['--version'], ['ignore', 'ignore', 'inherit'], (code) => {
    clearInterval(progress);
    if (code === 0) runTool(['new', ...args], 'inherit', (newCode) => process.exit(newCode === null ? 1 : newCode));
    else process.exit(1);
  });
}

const tool = findTool();
if (tool === undefined) fetchTool();
else {
  process.argv.splice(2, 0, 'new');
  import(pathToFileURL(join(tool, 'bin/specwright.mjs')).href);
}
