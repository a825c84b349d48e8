/** Packages that changed while the loop runs, as a switch of branches does: what runs has loaded those of before. */
import { join } from 'node:path';
import { checkInstalled } from '../../doctor/check-packages.ts';
import type { Project } from '../../project-config.ts';
import type { Screen } from './screen.ts';

/** The files that say which packages there are; the last is written by npm at the end of an installation. */
export const PACKAGE_FILES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'] as const;
const INSTALLED = PACKAGE_FILES[2];

export interface PackageReport {
  /** @param files that were saved, absolute. Reports at each save from the first change on: only a new start loads other packages. */
  report(files: ReadonlySet<string>): void;
}

export function createPackageReport({ project: { root }, screen }: { readonly project: Project; readonly screen: Screen }): PackageReport {
  let isWatched = false;
  let isInstalled = false;
  return {
    report(files) {
      isWatched ||= PACKAGE_FILES.some((name) => files.has(join(root, name)));
      isInstalled ||= files.has(join(root, INSTALLED));
      if (!isWatched) return;
      const { state, message } = checkInstalled(root);
      if (state !== 'ok') screen.section('packages', message, [], '`npm ci`, then Ctrl-C and `npm run dev`');
      else if (isInstalled)
        screen.section(
          'packages',
          'installed anew; the loop, its compiler and its server run with those of before',
          [],
          'Ctrl-C, then `npm run dev`',
        );
    },
  };
}
