/** Compares two specs: what of the changes breaks a client, where, and why. */
import { checkDocument, pointerKeys, pointerTo, type SourceDocument } from '@specwright/server';
import type { Break, Change, Comparison, Finding, Side } from './change.ts';
import { directions } from './direction.ts';
import { normalize, type Normalized } from './normalize.ts';
import { redoclyDiff } from './redocly.ts';
import { FALSE_ALARMS, RULES } from './rules.ts';
import { why } from './why.ts';

/**
 * Finds every change from `base` to `working` that breaks a client.
 *
 * A base that is not a valid document is one too: it is compared as far as it goes.
 *
 * @param now decides which operations are past their sunset.
 * @returns the findings in the order of the working spec.
 * @throws Error if the two cannot be compared.
 */
export async function compare(base: SourceDocument, working: SourceDocument, now: Date): Promise<Finding[]> {
  if (base.digest === working.digest) return [];
  const problems = await checkDocument(base);
  const invalid = problems.map(({ line = 1, column = 1, pointer = '#', message }): Finding => ({
    rule: 'base-invalid',
    change: `The base is not valid: ${message}`,
    why: why('base-invalid', false, false),
    at: pointer,
    base: { line, column },
    working: working.locate(pointerKeys(pointer)),
  }));
  try {
    return [...invalid, ...(await breaksOf(base, working, now))];
  } catch (error) {
    if (invalid.length === 0) throw error;
    return invalid;
  }
}

async function breaksOf(base: SourceDocument, working: SourceDocument, now: Date): Promise<Finding[]> {
  const [before, after] = [normalize(base.document), normalize(working.document)];
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
  const breaks = [...changes.flatMap((change) => validationErrors(change, comparison)), ...RULES.flatMap((rule) => [...rule(comparison)])];
  const findings = breaks.map((found) => finding(found, comparison));
  return findings.sort((a, b) => a.working.line - b.working.line || a.base.line - b.base.line || a.rule.localeCompare(b.rule));
}

function asWritten(change: Change, before: Normalized, after: Normalized): Change {
  const side = (name: 'base' | 'revision', from: Normalized): { [side in 'base' | 'revision']?: Side } => {
    const value = change[name];
    return value === undefined ? {} : { [name]: { ...value, pointer: from.written(pointerTo(...pointerKeys(value.pointer))) } };
  };
  return { ...change, ...side('base', before), ...side('revision', after) };
}

function validationErrors(change: Change, comparison: Comparison): Break[] {
  return change.validationErrors
    .filter(({ ruleId }) => !FALSE_ALARMS.some(({ rule, applies }) => rule === ruleId && applies(change, comparison)))
    .map(({ ruleId, message }) => ({ rule: ruleId, message, base: change.base?.pointer, working: change.revision?.pointer }));
}

function finding({ rule, message, base, working }: Break, { base: before, working: after, sent, received }: Comparison): Finding {
  const at = working ?? base ?? '#';
  // What is gone, or new, is told on the other side where it would be missed: an index into a list may be another one's there.
  const place = (source: SourceDocument, pointer: string | undefined) =>
    source.locate(pointer === undefined ? pointerKeys(at).slice(0, -1) : pointerKeys(pointer));
  const part = parts(at);
  return {
    rule,
    change: subject(at) + message,
    why: why(rule, part.some(sent), part.some(received)),
    // As a person would write it: a URI would have `%7BuserId%7D`.
    at: decodeURIComponent(at),
    base: place(before, base),
    working: place(after, working),
  };
}

/** A pointer, and what it is a keyword of. */
const parts = (pointer: string) => [pointer, pointer.slice(0, pointer.lastIndexOf('/'))];

/** The operation or the component that a pointer leads into, to begin a sentence with. */
function subject(pointer: string): string {
  const [section, first = '', second] = pointerKeys(pointer);
  if (section === 'components') return `${second ?? first}: `;
  if (section !== 'paths' || second === undefined) return '';
  return second === 'parameters' ? `${first}: ` : `${second.toUpperCase()} ${first}: `;
}
