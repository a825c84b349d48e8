/** Says what an upgrade changes, before it does. */
import { plural } from '@specwright/server/command';
import type { Release, TemplateVersion } from './find-templates.ts';
import type { FileChange } from './merge-template.ts';

const VERBS = { add: 'adds', update: 'updates', remove: 'removes', keep: 'keeps' } as const;

export interface PlannedUpgrade {
  readonly base: TemplateVersion;
  readonly release: Release;
  readonly changes: readonly FileChange[];
  /** Whether the project does not record which template it was made from. */
  readonly inferred: boolean;
  /** The dependencies of the project before. */
  readonly had: Readonly<Record<string, string>>;
}

/** @returns lines that say what an upgrade changes: the template, files with their conflicts, and which versions of packages rise. */
export function describeUpgrade({ base, release, changes, inferred, had }: PlannedUpgrade): string[] {
  const versions =
    base.version === release.version ? `template ${release.version}, as before` : `template ${base.version} -> ${release.version}`;
  return [
    ...(inferred
      ? [`package.json does not record a template: it is taken to be that of the packages that the project has, ${base.version}`]
      : []),
    `${versions}: ${changes.length === 0 ? 'no file changes' : plural(changes.length, 'file')}`,
    ...changes.map(({ path, action, conflicts }) => {
      const conflict = conflicts.length === 0 ? '' : `  CONFLICT: ${conflicts.join('; ')}`;
      return `  ${VERBS[action].padEnd(8)}${path}${conflict}`;
    }),
    ...describePackages(release, had),
  ];
}

function describePackages({ version, tarballs }: Release, had: PlannedUpgrade['had']): string[] {
  const rising = tarballs.flatMap((tarball) => {
    const before = versionIn(had[tarball.name]);
    return before === tarball.version ? [] : [`  ${tarball.name} ${before === undefined ? 'new:' : `${before} ->`} ${tarball.version}`];
  });
  const same = tarballs.length - rising.length;
  if (rising.length === 0) return [`packages: all ${same} have version ${version} already, no version rises`];
  return [`packages: ${plural(rising.length, 'version')} to change`, ...rising];
}

/** Of a dependency: `0.1.0`, or `file:vendor/specwright-server-0.1.0.tgz`. */
// eslint-disable-next-line specwright/linear-expression -- a version in the project's package.json
const versionIn = (dependency: string | undefined): string | undefined => /\d+\.\d+\.\d+[\w.-]*?(?=\.tgz$|$)/.exec(dependency ?? '')?.[0];
