/** What a client of one contract has to change to use another, such as the next version of it. */
import {
  type DocumentOperation,
  type ReadOptions,
  type SourceDocument,
  checkDocument,
  listOperations,
  operationKeys,
  printable,
  readDocument,
} from '@specwright/contract/document';
import { plural } from '../compare/words.ts';
import { assertNoNewProblems, type BreakingChange, type ChangeLocation, compareSpecs } from './compare-specs.ts';
import { formatLocation, nameOperations } from './report.ts';

/** A contract by its name for people, and the file of its spec. */
export interface NamedSpec {
  readonly name: string;
  readonly spec: string;
}

/** An operation that one of the two has alone. */
interface UnmatchedOperation {
  /** `DELETE /pets/{petId}` */
  readonly operation: string;
  readonly id: string;
  readonly location: ChangeLocation;
}

export interface ContractDifference {
  readonly from: NamedSpec;
  readonly to: NamedSpec;
  /** In the operations that both have. */
  readonly changes: readonly BreakingChange[];
  /** Operations that `to` lacks. */
  readonly removed: readonly UnmatchedOperation[];
  /** Operations that only `to` has. */
  readonly added: readonly UnmatchedOperation[];
}

/** Told by the operations that are gone; and another contract has another address, which a client is given. */
const NOT_TOLD = ['path-removed', 'operation-removed', 'server-removed'];

/**
 * Compares two contracts as `check-breaking` does, without a record. Operations are matched by method and path, whatever their
 * path parameters are called.
 *
 * @param now decides which operations are past their sunset.
 * @throws ContractError with everything that is wrong with one of them alone.
 */
export async function compareContracts(from: NamedSpec, to: NamedSpec, now: Date, options: ReadOptions = {}): Promise<ContractDifference> {
  const [before, after] = [from, to].map(({ spec }) => readDocument(spec, options)) as [SourceDocument, SourceDocument];
  const [former, current] = [await checkDocument(before), await checkDocument(after)];
  assertNoNewProblems(from.spec, current, former);
  assertNoNewProblems(to.spec, former, current);
  const only = (source: SourceDocument, other: SourceDocument): UnmatchedOperation[] => {
    const known = new Set(listOperations(other.document).map(identity));
    return listOperations(source.document)
      .filter((operation) => !known.has(identity(operation)))
      .map((operation) => ({
        operation: printable(`${operation.method.toUpperCase()} ${operation.path}`),
        id: operation.id,
        location: source.locate(operationKeys(operation)),
      }));
  };
  const changes = (await compareSpecs(before, after, now)).filter(({ rule, isWarning }) => isWarning !== true && !NOT_TOLD.includes(rule));
  return { from, to, changes, removed: only(before, after), added: only(after, before) };
}

const identity = ({ path, method }: DocumentOperation) => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;

/** What a client has to change by operation, then the operations that only one of the two has, then the numbers. */
export function formatDifference(difference: ContractDifference): string {
  const { from, to, changes, removed, added } = difference;
  const blocks = [...new Set(changes.map(({ operations }) => operations.join('\n')))].map((key) => {
    const group = changes.filter(({ operations }) => operations.join('\n') === key);
    return [formatHeading(group[0]?.operations ?? []), ...group.map((change) => formatChange(change, difference))].join('\n');
  });
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

const formatHeading = (operations: readonly string[]): string =>
  operations.length === 0 ? 'the whole contract' : nameOperations(operations);

const formatChange = ({ change, rule, impact, base, working }: BreakingChange, { from, to }: ContractDifference): string =>
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
