/** `node scripts/release.mjs`: raises the version of all packages, publishes them, and writes the notes of a release (docs/contributing/releasing.md). It runs without `npm ci`. */
import { checkRepository } from './release/repository.mjs';
import { publish } from './release/publish.mjs';
import { readPackages } from './release/packages.mjs';
import { raiseVersion } from './release/versions.mjs';
import { formatNotes } from './release/changelog.mjs';

const USAGE = `node scripts/release.mjs COMMAND
  list                      the packages in publishing order, each with its folder
  version VERSION           raises the root and all packages to it, and dates what is unreleased in CHANGELOG.md
  notes VERSION             the notes of the release, from CHANGELOG.md; fails if it has none
  check-repository NAME     fails unless package.json says that the packages are of this repository on GitHub (owner/name)
  publish [--provenance]    builds all packages, and publishes those versions that the registry does not have`;

const root = process.cwd();
const COMMANDS = {
  list: () => readPackages(root).map(({ name, folder }) => `${name} ${folder}`),
  version: (version) => raiseVersion(root, version, new Date()),
  notes: (version) => [formatNotes(root, readPackages(root), version)],
  'check-repository': (name) => checkRepository(root, name),
  publish: (option) => publish(root, { provenance: option === '--provenance' }),
};
/** Those with an argument, and what it may be. */
const ARGUMENTS = { version: /^\d+\.\d+\.\d+$/, notes: /^\d+\.\d+\.\d+$/, 'check-repository': /^[\w.-]+\/[\w.-]+$/ };

const [name = '', argument, ...more] = process.argv.slice(2);
const expected = ARGUMENTS[name] ?? (name === 'publish' ? /^--provenance$/ : /^$/);
const given = argument ?? '';
if (!Object.hasOwn(COMMANDS, name) || more.length > 0 || !(expected.test(given) || (given === '' && !(name in ARGUMENTS)))) {
  console.error(USAGE);
  process.exit(2);
}
try {
  for (const line of COMMANDS[name](argument)) console.log(line);
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exit(1);
}
