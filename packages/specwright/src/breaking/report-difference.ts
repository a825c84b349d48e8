/** The report of what differs between two contracts: for a terminal, and as JSON. */
import { plural } from '@specwright/server/command';
import type { ClientChange, ContractDifference, NamedSpec, UnmatchedOperation } from './between-contracts.ts';
import { formatLocation } from './report.ts';

/** Operations that share changes are named together; of more than these the others are counted. */
const MAX_NAMED = 3;

/** What a client has to change by operation, then the operations that only one of the two has, then the numbers. */
export function formatDifference(difference: ContractDifference): string {
  const { from, to, changes, removed, added } = difference;
  const groups = new Map<string, ClientChange[]>();
  for (const change of changes) {
    const key = change.operations.join('\n');
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const blocks = [...groups.values()].map((group) =>
    [formatHeading(group[0]?.operations ?? []), ...group.map((change) => formatChange(change, difference))].join('\n'),
  );
  const list = (heading: string, operations: readonly UnmatchedOperation[], { spec }: NamedSpec) =>
    operations.length === 0
      ? []
      : [[heading, ...operations.map(({ operation, location }) => `  ${formatLocation(spec, location)}  ${operation}`)].join('\n')];
  return [
    ...blocks,
    ...list(`only in ${from.name}`, removed, from),
    ...list(`only in ${to.name}`, added, to),
    formatSummary(difference),
  ].join('\n\n');
}

function formatHeading(operations: readonly string[]): string {
  if (operations.length === 0) return 'the whole contract';
  const more = operations.length - MAX_NAMED;
  return [...operations.slice(0, MAX_NAMED), ...(more > 0 ? [plural(more, 'more operation')] : [])].join(', ');
}

const formatChange = ({ change, rule, impact, base, working }: ClientChange, { from, to }: ContractDifference): string =>
  [
    `  ${formatLocation(to.spec, working)}  ${change} (${rule})`,
    `      before:  ${formatLocation(from.spec, base)}`,
    `      impact:  ${impact}`,
  ].join('\n');

function formatSummary({ from, to, changes, removed, added }: ContractDifference): string {
  const news = added.length === 0 ? '' : `; ${plural(added.length, 'operation')} only in ${to.name}`;
  if (changes.length + removed.length === 0) return `a client of ${from.name} can use ${to.name} without a change${news}`;
  const parts = [
    ...(changes.length > 0 ? [plural(changes.length, 'breaking change')] : []),
    ...(removed.length > 0 ? [`${plural(removed.length, 'operation')} only in ${from.name}`] : []),
  ];
  return `a client of ${from.name} has to change to use ${to.name}: ${parts.join(', ')}${news}`;
}

/** With the files of all locations. */
export function differenceToJson({ from, to, changes, removed, added }: ContractDifference): object {
  const within =
    ({ spec }: NamedSpec) =>
    ({ location, ...operation }: UnmatchedOperation) => ({ ...operation, location: { file: spec, ...location } });
  return {
    from,
    to,
    changes: changes.map(({ base, working, ...change }) => ({
      ...change,
      working: { file: to.spec, ...working },
      base: { file: from.spec, ...base },
    })),
    removed: removed.map(within(from)),
    added: added.map(within(to)),
  };
}
