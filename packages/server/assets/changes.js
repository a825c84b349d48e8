/* A release of the changelog as Markdown, for the page and for `specwright changelog`. Plain JavaScript of a browser. */

const MAX_NAMED = 3;
const KINDS = { added: 'Added', changed: 'Changed', deprecated: 'Deprecated', removed: 'Removed' };

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function formatHeading({ schema, sides = [], operations }) {
  if (schema !== undefined) {
    const used = operations.length === 0 ? 'not in use' : `in ${sides.join(' and ')} of ${plural(operations.length, 'operation')}`;
    return `Schema \`${schema}\`, ${used}`;
  }
  if (operations.length === 0) return 'The whole API';
  const more = operations.length - MAX_NAMED;
  const named = operations.slice(0, more > 0 ? MAX_NAMED : undefined).map((name) => `\`${name}\``);
  return [...named, ...(more > 0 ? [plural(more, 'more operation')] : [])].join(', ');
}

function formatChange({ kind, where, what, breaking }) {
  const line = `- **${KINDS[kind]}${breaking === undefined ? '' : ', breaking'}**: ${where === '' ? '' : `${where}: `}${what}`;
  if (breaking === undefined) return line;
  return [line, `  - Impact: ${breaking.impact} (\`${breaking.rule}\`)`, ...breaking.reasons.map((reason) => `  - Reason: ${reason}`)].join(
    '\n',
  );
}

/** The changes by operation and shared schema, those that break clients first in each. */
export function formatRelease({ changes }) {
  if (changes.length === 0) return 'No changes that clients notice.\n';
  const groups = new Map();
  for (const change of changes) {
    const heading = formatHeading(change);
    groups.set(heading, [...(groups.get(heading) ?? []), change]);
  }
  const blocks = [...groups].map(([heading, group]) => {
    const breakingFirst = [...group.filter(({ breaking }) => breaking), ...group.filter(({ breaking }) => !breaking)];
    return [`### ${heading}`, '', ...breakingFirst.map(formatChange), ''].join('\n');
  });
  const breaking = changes.filter((change) => change.breaking !== undefined).length;
  const summary = `${plural(changes.length, 'change')}, ${breaking === 0 ? 'none' : breaking} of them breaking.\n`;
  return [summary, ...blocks].join('\n');
}
