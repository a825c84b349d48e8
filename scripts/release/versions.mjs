/** One version for the root and all packages: they depend on each other exactly, so that one cannot be installed beside another version. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogOf, changelogProblems, dateUnreleased } from './changelog.mjs';
import { readJson, readPackages } from './packages.mjs';

const GROUPS = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies'];

/**
 * Raises the versions in the manifests, the templates of projects, the examples and the lock file, and dates the changelog. The root is not published: it
 * gets the version, so that one tag names the image and the packages.
 *
 * @returns {string[]} what it did, and what remains
 * @throws Error if the version is not higher than before, or the changelog is not in its form or empty; nothing is written then
 */
export function raiseVersion(root, version, now) {
  const packages = readPackages(root);
  const high = packages.map((one) => one.version).filter((other) => compareVersions(version, other) <= 0);
  if (high.length > 0) throw new Error(`${version} is not higher than ${high[0]}: versions only rise`);
  const file = changelogOf(root);
  const text = readFileSync(file, 'utf8');
  const problems = changelogProblems(text).map((problem) => `CHANGELOG.md ${problem}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const dated = dateUnreleased(text, version, now);

  const names = packages.map(({ name }) => name);
  const raised = (manifest) => raise(manifest, names, version);
  edit(join(root, 'package.json'), (manifest) => ({ ...raised(manifest), version }));
  for (const { path } of packages) edit(join(path, 'package.json'), (manifest) => ({ ...raised(manifest), version }));
  for (const template of templatesIn(root)) edit(join(template, 'package.json'), raised);
  edit(join(root, 'package-lock.json'), (lock) => {
    const ours = new Set(['', ...packages.map(({ folder }) => folder)]);
    const entries = Object.entries(lock.packages).map(([path, entry]) => [path, ours.has(path) ? { ...raised(entry), version } : entry]);
    return { ...lock, version, packages: Object.fromEntries(entries) };
  });
  writeFileSync(file, dated);
  return [
    `${packages[0].version} -> ${version}: the root, ${names.length} packages, the changelog, the templates, the examples and package-lock.json`,
    `Commit it, and tag the commit v${version}`,
  ];
}

/** The dependencies on our packages are exact. */
function raise(manifest, names, version) {
  const groups = GROUPS.filter((group) => manifest[group] !== undefined).map((group) => [
    group,
    Object.fromEntries(Object.entries(manifest[group]).map(([name, range]) => [name, names.includes(name) ? version : range])),
  ]);
  return { ...manifest, ...Object.fromEntries(groups) };
}

const templatesIn = (root) => [
  ...readdirSync(join(root, 'packages/specwright'))
    .filter((name) => name.startsWith('template'))
    .map((name) => join(root, 'packages/specwright', name)),
  ...readdirSync(join(root, 'examples')).map((name) => join(root, 'examples', name)),
];

const edit = (file, change) => writeFileSync(file, `${JSON.stringify(change(readJson(file)), null, 2)}\n`);

/** As Semantic Versioning orders `1.2.3`. */
function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  const at = a.findIndex((part, i) => part !== b[i]);
  return at === -1 ? 0 : a[at] - b[at];
}
