/** What a client of one contract has to change to use another, such as the next version of it. */
import {
  ContractError,
  type Document,
  type DocumentOperation,
  type SourceDocument,
  checkDocument,
  isObject,
  listOperations,
  operationKeys,
  pointerKeys,
  readDocument,
  valueAt,
} from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import type { BreakingChange, ChangeLocation } from './change.ts';
import { compareSpecs } from './compare-specs.ts';
import { formatLocation } from './report.ts';

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

/** A change, with the operations that it concerns, as the former contract has them; none if it concerns the whole contract. */
interface ClientChange extends BreakingChange {
  readonly operations: readonly string[];
}

export interface ContractDifference {
  readonly from: NamedSpec;
  readonly to: NamedSpec;
  /** In the operations that both have. */
  readonly changes: readonly ClientChange[];
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
 * @throws ContractError with everything that is wrong with one of them.
 */
export async function compareContracts(from: NamedSpec, to: NamedSpec, now: Date): Promise<ContractDifference> {
  const [before, after] = [await readChecked(from), await readChecked(to)];
  const [old, current] = [listOperations(before.document), listOperations(after.document)];
  const counterparts = new Map(current.map((operation) => [identity(operation), operation]));
  const former = new Set(old.map(identity));
  const common = old.flatMap((operation): OperationParts[] => {
    const counterpart = counterparts.get(identity(operation));
    if (counterpart === undefined) return [];
    return [{ name: formatOperation(operation), parts: [...partsOf(before.document, operation), ...partsOf(after.document, counterpart)] }];
  });
  const unmatched = ({ locate }: SourceDocument, operation: DocumentOperation): UnmatchedOperation => ({
    operation: formatOperation(operation),
    id: operation.id,
    location: locate(operationKeys(operation)),
  });
  const changes = (await compareSpecs(before, after, now)).filter(({ rule }) => !NOT_TOLD.includes(rule));
  return {
    from,
    to,
    changes: changes.map((change) => ({ ...change, operations: concerned(change.at, common) })),
    removed: old.filter((operation) => !counterparts.has(identity(operation))).map((operation) => unmatched(before, operation)),
    added: current.filter((operation) => !former.has(identity(operation))).map((operation) => unmatched(after, operation)),
  };
}

async function readChecked({ spec }: NamedSpec): Promise<SourceDocument> {
  const source = readDocument(spec);
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(spec, problems);
  return source;
}

const identity = ({ path, method }: DocumentOperation) => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
const formatOperation = ({ path, method }: DocumentOperation) => `${method.toUpperCase()} ${path}`;

/** An operation, and the readable pointers of what it is made of, in both contracts. */
interface OperationParts {
  readonly name: string;
  readonly parts: readonly string[];
}

/** A readable pointer, as changes have it. */
const pointerOf = (...keys: readonly string[]) => ['#', ...keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');

function concerned(at: string, operations: readonly OperationParts[]): string[] {
  const isIn = (part: string) => at === part || at.startsWith(`${part}/`);
  return operations.filter(({ parts }) => parts.some(isIn)).map(({ name }) => name);
}

/** The operation, the parameters of its path, the components that it refers to, and its security schemes. */
function partsOf(document: Document, { path, method, item, operation }: DocumentOperation): string[] {
  const schemes = (operation.security ?? document.security ?? []).flatMap((requirement) => Object.keys(requirement));
  const inherited = operation.security === undefined ? [pointerOf('security')] : [];
  const references = new Set<string>();
  collect(document, [operation, item.parameters], references);
  return [
    pointerOf(...operationKeys({ path, method })),
    pointerOf('paths', path, 'parameters'),
    ...inherited,
    ...schemes.map((name) => pointerOf('components', 'securitySchemes', name)),
    ...[...references].map((reference) => decodeURIComponent(reference)),
  ];
}

/** Adds every `$ref` of a value, and those of what they refer to. */
function collect(document: Document, value: unknown, references: Set<string>): void {
  if (Array.isArray(value)) return value.forEach((part) => collect(document, part, references));
  if (!isObject(value)) return;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string' && $ref.startsWith('#/') && !references.has($ref)) {
    references.add($ref);
    collect(document, valueAt(document, pointerKeys($ref)), references);
  }
  for (const part of Object.values(value)) collect(document, part, references);
}

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
