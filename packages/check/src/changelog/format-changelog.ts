/** A changelog as Markdown: by operation, by shared schema, and of the whole API. */
import { plural } from '@specwright/server/command';
import type { PublishedChange } from './changelog.ts';

/** Operations that share changes are named together; of more than these the others are counted. */
const MAX_NAMED = 3;

const KINDS = { added: 'Added', changed: 'Changed', deprecated: 'Deprecated', removed: 'Removed' } as const;

/** @param level of the headings of groups: 3 below a heading of level 2. */
export function formatChanges(changes: readonly PublishedChange[], level = 3): string {
  if (changes.length === 0) return 'No changes that clients notice.\n';
  const groups = new Map<string, PublishedChange[]>();
  for (const change of changes) {
    const heading = formatHeading(change);
    groups.set(heading, [...(groups.get(heading) ?? []), change]);
  }
  const blocks = [...groups].map(([heading, group]) => {
    const breakingFirst = [...group.filter(({ breaking }) => breaking), ...group.filter(({ breaking }) => !breaking)];
    return [`${'#'.repeat(level)} ${heading}`, '', ...breakingFirst.map(formatChange), ''].join('\n');
  });
  return [`${formatSummary(changes)}\n`, ...blocks].join('\n');
}

/** `3 changes, 1 of them breaking.` */
export function formatSummary(changes: readonly PublishedChange[]): string {
  const breaking = changes.filter((change) => change.breaking !== undefined).length;
  return `${plural(changes.length, 'change')}, ${breaking === 0 ? 'none' : breaking} of them breaking.`;
}

/** ``Schema `Pet`, in responses of 12 operations``, `` `GET /pets` ``, `The whole API` */
function formatHeading({ schema, sides = [], operations }: PublishedChange): string {
  if (schema !== undefined) {
    const used = operations.length === 0 ? 'not in use' : `in ${sides.join(' and ')} of ${plural(operations.length, 'operation')}`;
    return `Schema \`${schema}\`, ${used}`;
  }
  if (operations.length === 0) return 'The whole API';
  const more = operations.length - MAX_NAMED;
  const named = operations.slice(0, more > 0 ? MAX_NAMED : undefined).map((name) => `\`${name}\``);
  return [...named, ...(more > 0 ? [plural(more, 'more operation')] : [])].join(', ');
}

/** The change in one line, and what it means for clients below it. */
function formatChange({ kind, where, what, breaking }: PublishedChange): string {
  const line = `- **${KINDS[kind]}${breaking === undefined ? '' : ', breaking'}**: ${where === '' ? '' : `${where}: `}${what}`;
  if (breaking === undefined) return line;
  return [line, `  - Impact: ${breaking.impact} (\`${breaking.rule}\`)`, ...breaking.reasons.map((reason) => `  - Reason: ${reason}`)].join(
    '\n',
  );
}
