/** The packages before 0.3.0, which are six since: renames them in a project's manifest and imports. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of a former package -> the package that has its code. */
const FORMER_PACKAGES: Readonly<Record<string, string>> = {
  '@specwright/cli': 'specwright',
  '@specwright/check': 'specwright',
  '@specwright/create': 'specwright',
  '@specwright/dev': 'specwright',
  '@specwright/testing': 'specwright',
  '@specwright/jwt': '@specwright/server',
  '@specwright/mcp': '@specwright/server',
  '@specwright/webhooks': '@specwright/accounts',
};

/** What a project imports of them -> the entry that has it. */
const FORMER_ENTRIES: Readonly<Record<string, string>> = {
  '@specwright/testing': 'specwright/testing',
  '@specwright/jwt': '@specwright/server/jwt',
  '@specwright/mcp': '@specwright/server/mcp',
  '@specwright/webhooks': '@specwright/accounts/webhooks',
  '@specwright/dev/identity': 'specwright/identity',
  '@specwright/dev/mock': 'specwright/mock',
  '@specwright/server/document': '@specwright/contract/document',
  '@specwright/cli': 'specwright',
  '@specwright/check': 'specwright',
};

/** Whether a dependency is one of our packages, of this version or an earlier one. */
export const isOwnPackage = (name: string): boolean => name === 'specwright' || name.startsWith('@specwright/');

type Dependencies = Record<string, string>;

/** The dependencies with the packages of now in place of former ones. @param all those of all groups, with the former ones. */
export function renameDependencies(group: Dependencies, all: Readonly<Dependencies>): Dependencies {
  const renamed = { ...group };
  for (const [former, version] of Object.entries(group)) {
    const name = FORMER_PACKAGES[former];
    if (name === undefined) continue;
    delete renamed[former];
    if (all[name] === undefined) renamed[name] ??= version;
  }
  return renamed;
}

/** Renames the imports of former packages in the sources and tests of a project. @returns the files that changed, relative to `root`. */
export function renameImports(root: string): string[] {
  const folders = ['src', 'test', 'scripts', '.config'].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return files.filter((path) => {
    if (!/\.[cm]?[jt]s$/.test(path)) return false;
    const file = join(root, path);
    const text = readFileSync(file, 'utf8');
    const renamed = text.replace(/(['"])(@specwright\/[a-z/-]+)\1/g, (whole, quote: string, name: string) =>
      Object.hasOwn(FORMER_ENTRIES, name) ? `${quote}${FORMER_ENTRIES[name] ?? name}${quote}` : whole,
    );
    if (renamed === text) return false;
    writeFileSync(file, renamed);
    return true;
  });
}
