/** Program: gives a project the installed packages of another one, as hard links. Their files are not to be written to. */
import { linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** npm's list of what is installed. It overwrites it; packages it replaces. It does not trust a list that is older than a package. */
const NPM_LIST = '.package-lock.json';

function linkTree(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.name !== NPM_LIST) linkSync(source, target);
  }
}

const [, , from = '', to = ''] = process.argv;
linkTree(join(from, 'node_modules'), join(to, 'node_modules'));
writeFileSync(join(to, 'node_modules', NPM_LIST), readFileSync(join(from, 'node_modules', NPM_LIST)));
