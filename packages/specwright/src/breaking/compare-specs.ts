/** Compares two specs: which changes break a client, where, and what the client meets. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  ContractError,
  type Document,
  type ParseOptions,
  type Problem,
  type SourceDocument,
  checkDocument,
  isObject,
  parseSource,
  pointerKeys,
  pointerTo,
  resolve,
} from '@specwright/contract/document';
import { type BreakingChange, type Change, type Comparison, type DetectedChange, type Side, directions } from './change.ts';
import { FALSE_ALARMS, impactOf } from './false-alarms.ts';
import { type DetectedBreak, type Normalized, mergeChangedDefaults, normalize } from './normalize.ts';
import { RULES } from './rules.ts';

/**
 * Finds every change from `base` to `working` that breaks a client.
 *
 * An invalid base is a breaking change too; it is compared as far as possible.
 *
 * @param now decides which operations are past their sunset.
 * @returns the changes in the order of the working spec.
 * @throws Error if the two cannot be compared.
 */
export async function compareSpecs(base: SourceDocument, working: SourceDocument, now: Date): Promise<BreakingChange[]> {
  return (await detectBreaks(base, working, now)).map(({ change }) => change);
}

/** As `compareSpecs`; each change with the pointers at which it was detected. */
export async function detectBreaks(base: SourceDocument, working: SourceDocument, now: Date): Promise<DetectedBreak[]> {
  if (base.digest === working.digest) return [];
  const problems = await checkDocument(base);
  const invalid = problems.map(({ pointer = '#', message, ...at }): DetectedBreak => ({
    change: {
      rule: 'base-invalid',
      change: `The base is not valid: ${message}`,
      impact: impactOf('base-invalid', false, false),
      at: pointer,
      base: locationOf(at),
      working: working.locate(pointerKeys(pointer)),
    },
    detected: [],
  }));
  try {
    return [...invalid, ...(await detectChanges(base, working, now))];
  } catch (error) {
    if (invalid.length === 0) throw error;
    return invalid;
  }
}

/** The text of a base. `read` gives those of the files that it refers to. */
export interface BaseText extends Pick<ParseOptions, 'read'> {
  readonly file: string;
  readonly spec: string;
}

/** As `compareSpecs`, for the text of a base. One that is not even YAML is a breaking change too, which can be recorded. */
export async function compareWithBase({ file, spec, ...options }: BaseText, working: SourceDocument, now: Date): Promise<BreakingChange[]> {
  let base: SourceDocument;
  try {
    base = parseSource(file, spec, options);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.problems.map(({ message, ...at }) => ({
      rule: 'base-invalid',
      change: `The base cannot be read: ${message}`,
      impact: impactOf('base-invalid', false, false),
      at: '#',
      base: locationOf(at),
      working: { line: 1, column: 1 },
    }));
  }
  return compareSpecs(base, working, now);
}

const locationOf = ({ file, line = 1, column = 1 }: Omit<Problem, 'message'>) => ({ ...(file !== undefined && { file }), line, column });

async function detectChanges(base: SourceDocument, working: SourceDocument, now: Date): Promise<DetectedBreak[]> {
  const [before, after] = [normalize(base.document, working.document), normalize(working.document, base.document)];
  const changes = (await redoclyDiff(before.document, after.document)).map((change) => asWritten(change, before, after));
  const [old, current] = [directions(base.document), directions(working.document)];
  const comparison: Comparison = {
    base,
    working,
    changes,
    now,
    sent: (pointer) => old.sent.has(pointer) || current.sent.has(pointer),
    received: (pointer) => old.received.has(pointer) || current.received.has(pointer),
  };
  const detected = [...changes.flatMap((change) => rejections(change, comparison)), ...RULES.flatMap((rule) => [...rule(comparison)])];
  const referenceOf = exchangedReferences(base.document, working.document);
  const changed = detected.map((change) => [change, toBreakingChange(change, comparison, referenceOf)] as const);
  return mergeChangedDefaults(base, working, changed, formatSubject).sort(
    ({ change: a }, { change: b }) =>
      (a.working.file ?? '').localeCompare(b.working.file ?? '') ||
      a.working.line - b.working.line ||
      a.base.line - b.base.line ||
      a.rule.localeCompare(b.rule),
  );
}

function asWritten(change: Change, before: Normalized, after: Normalized): Change {
  const side = (name: 'base' | 'revision', from: Normalized): { [side in 'base' | 'revision']?: Side } => {
    const value = change[name];
    return value === undefined ? {} : { [name]: { ...value, pointer: from.originalPointer(pointerTo(...pointerKeys(value.pointer))) } };
  };
  return { ...change, ...side('base', before), ...side('revision', after) };
}

function rejections(change: Change, comparison: Comparison): DetectedChange[] {
  return change.verdicts
    .filter(({ ruleId }) => !FALSE_ALARMS.some(({ rule, applies }) => rule === ruleId && applies(change, comparison)))
    .map(({ ruleId, message }) => ({ rule: ruleId, message, base: change.base?.pointer, working: change.revision?.pointer }));
}

function toBreakingChange(
  { rule, message, base, working }: DetectedChange,
  { base: before, working: after, sent, received }: Comparison,
  referenceOf: (pointer: string) => string | undefined,
): BreakingChange {
  const changed = working ?? base ?? '#';
  const reference = referenceOf(changed);
  const at = reference ?? changed;
  // The side that lacks the value is located at its parent: an index into a list may be another element's there.
  const location = (source: SourceDocument, pointer: string | undefined) =>
    source.locate(pointer === undefined ? pointerKeys(at).slice(0, -1) : pointerKeys(pointer));
  const part = withParent(changed);
  return {
    rule,
    change: formatSubject(at) + message,
    impact: impactOf(rule, part.some(sent), part.some(received)),
    // Readable: as a URI it would have `%7BuserId%7D`.
    at: decodeURIComponent(at),
    base: location(before, reference ?? base),
    working: location(after, reference ?? working),
  };
}

/** A pointer and its parent. */
const withParent = (pointer: string) => [pointer, pointer.slice(0, pointer.lastIndexOf('/'))];

/** The operation or the component of a pointer, to begin a sentence with. */
function formatSubject(pointer: string): string {
  const [section, first = '', second] = pointerKeys(pointer);
  if (section === 'components') return `${second ?? first}: `;
  if (section !== 'paths' || second === undefined) return '';
  return second === 'parameters' ? `${first}: ` : `${second.toUpperCase()} ${first}: `;
}

/** References that name another component than before: what changed is the reference, not what it names. */
interface ExchangedReference {
  readonly pointer: string;
  readonly targets: readonly string[];
}

/**
 * Finds, for a pointer into a component that both documents have alike, the reference that was exchanged for one to it, or from it.
 *
 * @returns a function that gives the pointer of that reference; `undefined` for every other change.
 */
function exchangedReferences(base: Document, working: Document): (pointer: string) => string | undefined {
  const exchanged = [...compare(base, working, [])];
  const componentOf = (document: Document, pointer: string) => resolve<object | undefined>(document, { $ref: pointer });
  const isUnchanged = (pointer: string) => {
    const [before, after] = [componentOf(base, pointer), componentOf(working, pointer)];
    return before === undefined || after === undefined || isDeepStrictEqual(before, after);
  };
  return (pointer) => {
    if (!pointer.startsWith('#/components/')) return undefined;
    const component = pointerTo(...pointerKeys(pointer).slice(0, 3));
    if (!isUnchanged(component)) return undefined;
    return exchanged.find(({ targets }) => targets.includes(component))?.pointer;
  };
}

/** The places where both documents have a `$ref`, each another one. */
function* compare(before: unknown, after: unknown, path: readonly string[]): Generator<ExchangedReference> {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, part] of before.entries()) yield* compare(part, after[index], [...path, String(index)]);
  } else if (isObject(before) && isObject(after)) {
    const [old, current] = [before['$ref'], after['$ref']];
    if (typeof old === 'string' && typeof current === 'string' && old !== current) {
      yield { pointer: pointerTo(...path), targets: [old, current].map((target) => pointerTo(...pointerKeys(target))) };
    }
    for (const [key, part] of Object.entries(before)) yield* compare(part, after[key], [...path, key]);
  }
}

/**
 * Every rule but one. An operation's `security` replaces that of the document, and the engine compares each list only where it
 * stands: it reports one that repeats what it inherited, and misses one that is no longer empty. See security-rules.ts.
 */
const CONFIG = 'extends: [diff-recommended]\ndiff:\n  security-requirement-changed: off\n';

/** No telemetry, and no notices of updates. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };

/**
 * Every change between two documents.
 *
 * @throws Error with the output of the engine, if it cannot compare them.
 */
async function redoclyDiff(base: Document, working: Document): Promise<Change[]> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const folder = await mkdtemp(join(tmpdir(), 'check-breaking-'));
  try {
    const file = (name: string) => join(folder, name);
    await writeFile(file('base.json'), JSON.stringify(base));
    await writeFile(file('working.json'), JSON.stringify(working));
    await writeFile(file('redocly.yaml'), CONFIG);
    const options = ['--format=json', '--fail-on=none', `--output=${file('changes.json')}`, `--config=${file('redocly.yaml')}`];
    await new Promise<void>((resolve, reject) => {
      const env = { ...process.env, ...QUIET, NODE_OPTIONS: '' };
      execFile(process.execPath, [cli, 'diff', file('base.json'), file('working.json'), ...options], { env }, (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Error(`redocly diff failed: ${stderr.trim()}`, { cause: error }));
      });
    });
    return (JSON.parse(await readFile(file('changes.json'), 'utf8')) as { changes: Change[] }).changes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
