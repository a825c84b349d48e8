/** Checks Node.js and the installed packages against what the project asks for. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plural } from '@specwright/server/command';
import { problem, ok, warning, type CheckResult } from './check.ts';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly link?: boolean;
}
type Packages = Readonly<Record<string, LockedPackage>>;

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Node's version against `engines.node`, of which `>=20.19.0` is understood. */
export function checkNode(root: string, version = process.versions.node): CheckResult {
  const { engines } = readJson(join(root, 'package.json')) as { engines?: { node?: string } };
  const wanted = /^>=\s*(\d+(?:\.\d+){0,2})$/.exec(engines?.node?.trim() ?? '')?.[1];
  if (wanted === undefined) return ok(`${version}; package.json asks for ${engines?.node ?? 'no version'}`);
  if (isAtLeast(version, wanted)) return ok(`${version}, at least ${wanted}`);
  return problem(`${version} is too old`, `install Node.js ${wanted} or later`);
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) => text.split('.').map(Number));
  for (const [i, part] of (want ?? []).entries()) if ((have?.[i] ?? 0) !== part) return (have?.[i] ?? 0) > part;
  return true;
}

/** What npm has recorded as installed, and what is there, against package-lock.json. */
export function checkInstalled(root: string): CheckResult {
  if (!existsSync(join(root, 'package-lock.json'))) return problem('there is no package-lock.json', 'npm install');
  if (!existsSync(join(root, 'node_modules'))) return problem('they are not installed', 'npm ci');
  const locked = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  const wrong = Object.entries(locked).filter(([path, { version, link }]) => {
    if (!path.includes('node_modules/')) return false;
    const isThere = existsSync(join(root, path, 'package.json'));
    // Of an optional package npm leaves out what is not for this platform.
    if (!isThere && isOptional(locked[path])) return false;
    return !isThere || (link !== true && installed[path] !== undefined && installed[path].version !== version);
  });
  const production = wrong.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
  const names = (of: typeof wrong) =>
    `${of
      .slice(0, 3)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
      .join(', ')}${of.length > 3 ? ', ...' : ''}`;
  if (production.length > 0)
    return problem(`${plural(production.length, 'package')} missing or of another version: ${names(production)}`, 'npm ci');
  if (wrong.length > 0)
    return warning(`${plural(wrong.length, 'package')} for development missing or of another version: ${names(wrong)}`, 'npm ci');
  return ok(`${plural(Object.keys(installed).length, 'package')}, as in package-lock.json`);
}

const isOptional = (entry: LockedPackage | undefined) => entry?.optional === true || entry?.devOptional === true || entry?.peer === true;

/** @returns none if the file is not there: what it would say is then unknown. */
function packagesOf(file: string): Packages {
  if (!existsSync(file)) return {};
  return (readJson(file) as { packages?: Packages }).packages ?? {};
}
