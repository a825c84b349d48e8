/** `npm run site`: builds the site of the documentation into .build/site; `npm run site -- --serve` shows it at localhost:4173. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePages } from './pages.mjs';

const SITE = fileURLToPath(new URL('.', import.meta.url));

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: SITE, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(SITE, 'node_modules/vitepress'))) run('npm', ['ci', '--no-audit', '--no-fund']);
writePages();
const vitepress = join(SITE, 'node_modules/vitepress/bin/vitepress.js');
run(process.execPath, [vitepress, 'build', '.']);
if (process.argv.includes('--serve')) run(process.execPath, [vitepress, 'preview', '.']);
