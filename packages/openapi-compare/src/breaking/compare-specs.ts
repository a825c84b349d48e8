/** Which changes between two specs break a client, where, what the client meets, and what to do. */
import {
  ContractError,
  type ParseOptions,
  type Problem,
  type SourceDocument,
  checkDocument,
  decodePercent,
  parseSource,
  pointerKeys,
  pointerTo,
  printable,
} from '@specwright/contract/document';
import { type ClientChange, listChanges } from '../compare/list-changes.ts';
import { explain, isWarning } from '../compare/rules.ts';

/** `file` is given if it is not that of the spec but one that the spec refers to. */
export interface ChangeLocation {
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** A change that breaks a client, as it is reported. Lines and columns count from 1; a side that has nothing is located at the parent. */
export interface BreakingChange {
  readonly rule: string;
  /** What has changed, in one sentence that begins with the operation or the component. */
  readonly change: string;
  /** A warning: nothing of a client fails, though it is to know of it. It needs no record. */
  readonly isWarning?: true;
  /** What a client meets. */
  readonly impact: string;
  /** What to do, if it is not intended. */
  readonly fix: string;
  /** The operations that it is part of, `GET /pets`; none if it is about the whole API. */
  readonly operations: readonly string[];
  /** JSON pointer into the working spec; for what was removed, into the base. A record names rule, change and pointer. */
  readonly at: string;
  readonly base: ChangeLocation;
  readonly working: ChangeLocation;
}

/** A change that clients can notice, and how it breaks them. */
export interface ComparedChange {
  readonly change: ClientChange;
  readonly breaking?: BreakingChange;
}

/**
 * Compares what two specs say to clients.
 *
 * @param now decides which operations are past their sunset.
 */
export function compareDocuments(base: SourceDocument, working: SourceDocument, now: Date): ComparedChange[] {
  if (base.digest === working.digest) return [];
  const places = placesOf(base, working);
  return listChanges(base, working, now).map((change) => {
    const { brokenRule } = change;
    if (brokenRule === undefined) return { change };
    const at = places(change);
    const place = [...subjectOf(change, at.pointer), ...(change.where === '' ? [] : [change.where])].join(', ');
    const sentence = `${place === '' ? '' : `${place}: `}${change.what}.`;
    // Readable: as a URI it would have `%7BuserId%7D`.
    const told = { rule: brokenRule.rule, change: sentence, at: printable(decodePercent(at.pointer)), base: at.base, working: at.working };
    return {
      change,
      breaking: {
        ...told,
        ...explain(brokenRule.rule, brokenRule.sides),
        ...(isWarning(brokenRule.rule) && { isWarning: true as const }),
        operations: change.operations,
      },
    };
  });
}

/** What clients can notice of two specs, and what breaks them. */
export interface ComparedSpecs {
  readonly compared: readonly ComparedChange[];
  readonly breaking: readonly BreakingChange[];
}

/**
 * Finds every change from `base` to `working` that clients can notice, and those that break a client, each once, however many operations
 * it is part of.
 *
 * An invalid base is a breaking change too; it is compared as far as possible. What is wrong with both is no change.
 *
 * @returns the breaking changes in the order of the working spec.
 * @throws ContractError with what is wrong with the working spec alone. @throws Error if the two cannot be compared.
 */
export async function listSpecChanges(base: SourceDocument, working: SourceDocument, now: Date): Promise<ComparedSpecs> {
  if (base.digest === working.digest) return { compared: [], breaking: [] };
  const [former, current] = [await checkDocument(base), await checkDocument(working)];
  assertNoNewProblems(working.file, former, current);
  const invalid = withoutThoseOf(current, former).map(({ pointer = '#', message, ...at }) =>
    invalidBase(`The base is not valid: ${message}`, pointer, at, working.locate(pointerKeys(pointer))),
  );
  try {
    const compared = compareDocuments(base, working, now);
    return { compared, breaking: [...invalid, ...oncePerPlace(compared.flatMap(({ breaking }) => breaking ?? []))] };
  } catch (error) {
    if (current.length > 0) throw new ContractError(working.file, current);
    if (invalid.length === 0) throw error;
    return { compared: [], breaking: invalid };
  }
}

/** @throws ContractError with what is wrong with a document, unless it was with the former one. */
export function assertNoNewProblems(file: string, former: readonly Problem[], current: readonly Problem[]): void {
  const own = withoutThoseOf(former, current);
  if (own.length > 0) throw new ContractError(file, own);
}

const withoutThoseOf = (others: readonly Problem[], problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ message, pointer }) => !others.some((one) => one.message === message && one.pointer === pointer));

/** The breaking changes of `listSpecChanges`. */
export const compareSpecs = async (base: SourceDocument, working: SourceDocument, now: Date): Promise<readonly BreakingChange[]> =>
  (await listSpecChanges(base, working, now)).breaking;

/** The text of a base. `read` gives those of the files that it refers to. */
export interface BaseText extends Pick<ParseOptions, 'read' | 'generatedDigest' | 'allowOutside'> {
  readonly file: string;
  readonly spec: string;
}

/** As `compareSpecs`, for the text of a base. One that is not even YAML is a breaking change too, which can be recorded. */
export async function compareWithBase(
  { file, spec, ...options }: BaseText,
  working: SourceDocument,
  now: Date,
): Promise<readonly BreakingChange[]> {
  let base: SourceDocument;
  try {
    base = parseSource(file, spec, options);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    assertNoNewProblems(working.file, [], await checkDocument(working));
    return error.problems.map(({ message, ...at }) => invalidBase(`The base cannot be read: ${message}`, '#', at, { line: 1, column: 1 }));
  }
  return compareSpecs(base, working, now);
}

const invalidBase = (
  change: string,
  at: string,
  { file, line = 1, column = 1 }: Omit<Problem, 'message'>,
  working: ChangeLocation,
): BreakingChange => ({
  rule: 'base-invalid',
  change,
  ...explain('base-invalid', []),
  operations: [],
  at,
  base: { ...(file !== undefined && { file }), line, column },
  working,
});

/** Changes that are at one place are one, with the operations of all. */
function oncePerPlace(changes: readonly BreakingChange[]): BreakingChange[] {
  const found = new Map<string, BreakingChange>();
  for (const change of changes) {
    const { rule, at, base, change: sentence } = change;
    // Of a component, or of `x-operation-defaults`, the sentence names the place in an operation.
    const key = JSON.stringify([rule, at, base, sentence.split(': ').at(-1)]);
    const known = found.get(key);
    found.set(key, known === undefined ? change : { ...known, operations: [...new Set([...known.operations, ...change.operations])] });
  }
  return [...found.values()].sort(
    ({ working: a, base: c, rule }, { working: b, base: d, rule: other }) =>
      (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line || c.line - d.line || rule.localeCompare(other),
  );
}

interface Place {
  readonly pointer: string;
  readonly base: ChangeLocation;
  readonly working: ChangeLocation;
}

/** Where a change is in both specs, as written: what comes from `x-operation-defaults` is there. */
function placesOf(base: SourceDocument, working: SourceDocument): (change: ClientChange) => Place {
  const isChanged = JSON.stringify(base.written[DEFAULTS]) !== JSON.stringify(working.written[DEFAULTS]);
  return ({ base: [before], working: [after] }) => {
    const [source, pointer] = after === undefined ? [base, before ?? '#'] : [working, after];
    const written = source.writtenAt(pointerKeys(pointer));
    // Else the cause is in the operation: another parameter, a condition that it no longer meets, an opt-out.
    const at = written[0] === DEFAULTS && isChanged ? pointerTo(...written) : pointer;
    const keys = pointerKeys(at);
    // The side that lacks the value is located at its parent: an index into a list may be another element's there.
    const locate = (side: SourceDocument, own: string | undefined) => {
      if (at !== pointer) return side.locate(own === undefined && lengthOf(base) !== lengthOf(working) ? [DEFAULTS] : keys);
      return side.locate(own === undefined ? keys.slice(0, -1) : pointerKeys(own));
    };
    return { pointer: at, base: locate(base, before), working: locate(working, after) };
  };
}

const DEFAULTS = 'x-operation-defaults';
const lengthOf = ({ written }: SourceDocument): number => (Array.isArray(written[DEFAULTS]) ? written[DEFAULTS].length : 0);

/** The operation or the component of a change, to begin a sentence with; none of the whole contract. */
function subjectOf({ schema, operations }: ClientChange, pointer: string): readonly string[] {
  const [section, name = '', second] = pointerKeys(pointer);
  if (schema !== undefined) return [schema];
  if (section === 'components') return [second ?? name];
  if (section === 'paths' && second === 'parameters') return [name];
  return operations.slice(0, 1);
}
