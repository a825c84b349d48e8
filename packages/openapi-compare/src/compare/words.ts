/** The sentence of a difference: where it is, what has changed, and of which kind it is. */
import type { Difference } from './compare-parts.ts';
import { isPart, type Facts, type Part, type Segment } from './part.ts';
import { UNPROVED } from './conditions.ts';

type ChangeKind = 'added' | 'changed' | 'deprecated' | 'removed';

export interface Sentence {
  readonly kind: ChangeKind;
  readonly where: string;
  readonly what: string;
}

/** The operation of an operationId, to name a successor: `GET /store/pets/{petId}`. */
export type FormatOperationId = (id: string) => string;

/** What a fact says that is either so or not. */
const FLAGS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  required: ['now required', 'now optional'],
  nullable: ['null allowed', 'null no longer allowed'],
  readOnly: ['now read-only: only in responses', 'no longer read-only'],
  writeOnly: ['now write-only: only in requests', 'no longer write-only'],
  uniqueItems: ['items now have to be unique', 'items no longer have to be unique'],
  exclusive: ['a value in two alternatives is no longer valid (`oneOf`)', 'a value in two alternatives is valid'],
  closed: ['undeclared properties no longer allowed', 'undeclared properties allowed'],
  allowEmptyValue: ['empty value allowed', 'empty value no longer allowed'],
  deprecated: ['deprecated', 'no longer deprecated'],
};

const SETS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  values: ['value', 'values'],
  'names of types': ['type', 'types'],
  tags: ['tag', 'tags'],
  servers: ['server', 'servers'],
};

/** Facts whose name is not a keyword of the schema. */
const NAMES: Readonly<Record<string, string>> = {
  'x-stability': 'stability',
  'x-rate-limit-cost': 'cost in the rate limit',
  'x-body-limit': 'largest body in bytes',
  'x-max-bytes': 'largest file in bytes',
  tool: 'name of the tool',
  'x-int64': 'type in generated clients',
  'x-date-time': 'type in generated clients',
};

const WRITTEN = /^(?:style|explode|encoding .*)$/;
/** Those of an operation that are one line with its deprecation. */
const LIFECYCLE = ['deprecated', 'x-deprecated-sunset', 'x-deprecated-successor'];

/** @returns one sentence, or several of a set that lost and gained values; none for what another line says. */
export function sentencesOf(difference: Difference, formatOperationId: FormatOperationId): Sentence[] {
  const { fact, before, after, where, brokenRule } = difference;
  if (fact === undefined) return [partSentence(difference)];
  const say = (kind: ChangeKind, what: string): Sentence => ({ kind, where: formatWhere(where), what });
  if (fact === UNPROVED) return [say('changed', `other values are valid, by ${listed(after as string[])}`)];
  // The alternatives, which have their own lines, tell it.
  if (fact === 'exclusive' && brokenRule === undefined) return [];
  // With the type: another line has it.
  if (WRITTEN.test(fact) && (before === undefined || after === undefined)) return [];
  if (LIFECYCLE.includes(fact)) return lifecycle(difference, formatOperationId).map(([kind, what]) => say(kind, what));
  return valueSentences(fact, before, after).map(([kind, what]) => say(kind, what));
}

function valueSentences(fact: string, before: unknown, after: unknown): [ChangeKind, string][] {
  const flag = FLAGS[fact];
  if (flag !== undefined) return [['changed', after === true ? flag[0] : flag[1]]];
  if (fact.startsWith('requires ')) return [['changed', `\`${fact.slice(9)}\` now ${after === true ? 'required' : 'optional'}`]];
  if (fact === 'security') return [securitySentence(before, after)];
  const set = SETS[fact];
  if (set !== undefined && (Array.isArray(before) || Array.isArray(after))) return setChanges(set, before, after);
  if (fact === 'name of the function')
    return [
      ['changed', `operationId changed from \`${format(before)}\` to \`${format(after)}\`, which names functions of generated clients`],
    ];
  return [['changed', valueChange(NAMES[fact] ?? `\`${fact}\``, before, after)]];
}

function partSentence({ before, after, where, brokenRule }: Difference): Sentence {
  const part = isPart(after) ? after : (before as Part);
  const kind = isPart(after) ? 'added' : 'removed';
  const { segment } = part;
  const path = segment?.isPath === true ? trailingPath(where) : [];
  const name = segment === undefined ? 'schema' : segment.isPath === true ? formatPath([...path, segment]) : segment.text;
  const flags = [part.facts['deprecated']?.value === true && 'deprecated', necessity(part.facts)].filter(Boolean);
  const overlap = isPart(after) && after.isExclusive === true && brokenRule?.sides.includes('sent') ? ', which overlaps another one' : '';
  return { kind, where: formatWhere(where.slice(0, where.length - path.length)), what: [...flags, name, kind].join(' ') + overlap };
}

const necessity = ({ required }: Facts) => (required === undefined ? false : required.value === true ? 'required' : 'optional');

/** A deprecation with its end and its successor, in one line. */
function lifecycle({ fact, before, after, former, beside }: Difference, formatOperationId: FormatOperationId): [ChangeKind, string][] {
  const value = (name: string) => beside[name]?.value;
  const sunset = value('x-deprecated-sunset');
  const successor = value('x-deprecated-successor');
  if (fact === 'deprecated') {
    if (after !== true) return [['changed', 'no longer deprecated']];
    const ends = sunset === undefined ? '' : `, answers 410 from ${format(sunset)} on`;
    const use = successor === undefined ? '' : `; use ${formatOperationId(format(successor))}`;
    return [['deprecated', `deprecated${ends}${use}`]];
  }
  // The line of the deprecation, or of its end, has it.
  if (value('deprecated') !== true || former['deprecated']?.value !== true) return [];
  if (fact === 'x-deprecated-successor')
    return [['deprecated', after === undefined ? 'no successor any more' : `successor is now ${formatOperationId(format(after))}`]];
  if (after === undefined) return [['deprecated', `no longer ends on ${format(before)}`]];
  if (before === undefined) return [['deprecated', `ends: answers 410 from ${format(after)} on`]];
  return [['deprecated', `end moved from ${format(before)} to ${format(after)}`]];
}

const differenceOf = (old: readonly string[], current: readonly string[]) => ({
  gained: current.filter((one) => !old.includes(one)),
  lost: old.filter((one) => !current.includes(one)),
});

/** In one line: what is accepted now is seen beside what was. */
function securitySentence(before: unknown, after: unknown): [ChangeKind, string] {
  const [old, current] = [before, after].map((list) => (Array.isArray(list) ? (list as string[]) : [])) as [string[], string[]];
  const { gained, lost } = differenceOf(old, current);
  if (lost.length === 0) return ['added', `${listed(gained)} accepted as well`];
  if (gained.length === 0) return ['removed', `${listed(lost)} no longer accepted`];
  return ['changed', `credentials changed from ${listed(old, ' or ')} to ${listed(current, ' or ')}`];
}

function setChanges([one, many]: readonly [string, string], before: unknown, after: unknown): [ChangeKind, string][] {
  const [old, current] = [before, after].map((list) => (Array.isArray(list) ? (list as string[]) : undefined));
  if (old === undefined) return [['changed', `restricted to the ${many} ${listed(current ?? [])}`]];
  if (current === undefined) return [['changed', `no longer restricted to the ${many} ${listed(old)}`]];
  const say = (kind: 'added' | 'removed', values: readonly string[]): [ChangeKind, string][] =>
    values.length === 0 ? [] : [[kind, `${values.length === 1 ? one : many} ${listed(values)} ${kind}`]];
  const { gained, lost } = differenceOf(old, current);
  return [...say('added', gained), ...say('removed', lost)];
}

function valueChange(name: string, before: unknown, after: unknown): string {
  if (before === undefined) return `${name} ${code(after)} added`;
  if (after === undefined) return `${name} ${code(before)} removed`;
  if (format(before) === format(after)) return `${name} changed from ${code(JSON.stringify(before))} to ${code(JSON.stringify(after))}`;
  const verb = typeof before === 'number' && typeof after === 'number' ? (after > before ? 'raised' : 'lowered') : 'changed';
  return `${name} ${verb} from ${code(before)} to ${code(after)}`;
}

const listed = (values: readonly string[], by = ', ') => values.map(code).join(by);
const format = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
/** A backtick in a value would end the code that reports in Markdown show. */
const code = (value: unknown) => `\`${format(value).replaceAll('`', '\\u0060')}\``;

function trailingPath(where: readonly Segment[]): readonly Segment[] {
  const last = where.findLastIndex(({ isPath }) => isPath !== true);
  return where.slice(last + 1);
}

/** ``response 200, property `owner.name` `` */
function formatWhere(where: readonly Segment[]): string {
  const names: string[] = [];
  for (let i = 0; i < where.length;) {
    const end = where.findIndex(({ isPath }, j) => j >= i && isPath !== true);
    const path = where.slice(i, end === -1 ? undefined : end);
    if (path.length > 0) names.push(formatPath(path));
    const segment = where[i + path.length];
    if (segment !== undefined) names.push(segment.text);
    i += path.length + 1;
  }
  return names.join(', ');
}

/** ``property `owner.name` ``, ``items of `list` `` */
function formatPath(path: readonly Segment[]): string {
  const text = path
    .map((segment) => segment.text)
    .join('')
    .replace(/^\./, '');
  const last = path.at(-1)?.text ?? '';
  if (last === '[]') return text === '[]' ? 'items' : `items of \`${text.slice(0, -2)}\``;
  if (last === '.*') return text === '*' ? 'undeclared properties' : `undeclared properties of \`${text.slice(0, -2)}\``;
  return last.startsWith('[') ? `item \`${text}\`` : `property \`${text}\``;
}

/** `1 change`, `2 changes` */
export const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
