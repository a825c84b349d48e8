/** Parses a CHECK constraint, as PostgreSQL prints it, into keywords of a schema. */

export interface Limits {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  enum?: string[];
  pattern?: string;
}

/** What all of them allow; patterns are not compared. */
export function intersectLimits(all: readonly { readonly [K in keyof Limits]?: Limits[K] | undefined }[]): Limits {
  const numbers = (key: 'minimum' | 'maximum' | 'minLength' | 'maxLength') => all.flatMap((one) => one[key] ?? []);
  const lists = all.flatMap((one) => (one.enum === undefined ? [] : [one.enum]));
  const narrowest = (key: Parameters<typeof numbers>[0]) =>
    numbers(key).length === 0 ? {} : { [key]: key.startsWith('min') ? Math.max(...numbers(key)) : Math.min(...numbers(key)) };
  const [first, ...others] = lists;
  return {
    ...narrowest('minimum'),
    ...narrowest('maximum'),
    ...narrowest('minLength'),
    ...narrowest('maxLength'),
    ...(first && { enum: first.filter((value) => others.every((list) => list.includes(value))) }),
  };
}

/** One condition on one column. */
export interface Condition {
  readonly column: string;
  readonly limits: Limits;
}

const CAST = /::(?:character varying|double precision|timestamp with time zone|timestamp without time zone|[a-z_]+)(?:\(\d+\))?(?:\[\])?/g;
const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=' };

/**
 * The conditions of a constraint that is a conjunction of conditions on single columns: ranges and lengths of whole numbers, lists
 * of values, patterns.
 *
 * @returns `undefined` if any part of it is another condition.
 */
export function readCheck(definition: string): Condition[] | undefined {
  const literals: string[] = [];
  const text = definition
    .replace(/^CHECK\s*/, '')
    .replace(/'((?:[^']|'')*)'/g, (_, literal: string) => `$${literals.push(literal.replaceAll("''", "'")) - 1}`)
    .replace(CAST, '')
    // A reserved word as the name of a column.
    .replace(/"(\w+)"/g, '$1');
  const conditions = withoutGrouping(text)
    .split(/\sAND\s/)
    .map((part) => readCondition(part.trim(), literals));
  return conditions.includes(undefined) ? undefined : (conditions as Condition[]);
}

/** Removes the parentheses that are not those of a call. */
function withoutGrouping(text: string): string {
  const calls: boolean[] = [];
  return Array.from(text, (char, i) => {
    if (char === '(') {
      calls.push(/\w/.test(text[i - 1] ?? ''));
      return calls.at(-1) ? char : '';
    }
    return char === ')' && !calls.pop() ? '' : char;
  }).join('');
}

function readCondition(text: string, literals: readonly string[]): Condition | undefined {
  const list = /^(\w+) = ANY ARRAY\[([$\d, ]+)\]$/.exec(text) ?? /^(\w+) = (\$\d+)$/.exec(text);
  if (list)
    return { column: list[1] ?? '', limits: { enum: (list[2] ?? '').split(', ').map((key) => literals[Number(key.slice(1))] ?? '') } };
  const moment = /^(\w+) (?:>=|<) \$(\d+)$/.exec(text);
  // What JSON's date-time can say: four digits of a year.
  if (/^(?:0001|10000)-01-01 /.test(literals[Number(moment?.[2])] ?? '')) return { column: moment?.[1] ?? '', limits: {} };
  const pattern = /^(\w+) ~ \$(\d+)$/.exec(text);
  if (pattern) return { column: pattern[1] ?? '', limits: { pattern: literals[Number(pattern[2])] ?? '' } };
  return readComparison(text, literals);
}

/** Reads a comparison of a column, or of the length of its text, with an integer. */
function readComparison(text: string, literals: readonly string[]): Condition | undefined {
  const [, left = '', operator = '', right = ''] = /^(\S+) (<=|>=|<|>|=) (\S+)$/.exec(text) ?? [];
  const [term, sign, constant] = /^[\d$-]/.test(left) ? [right, FLIPPED[operator] ?? '', left] : [left, operator, right];
  const value = constant.startsWith('$') ? (literals[Number(constant.slice(1))] ?? '') : constant;
  const [, call, column = ''] = /^(?:(char_length|length|character_length)\()?(\w+)\)?$/.exec(term) ?? [];
  if (column === '' || !/^-?\d+$/.test(value)) return undefined;
  const [lowest, highest] = call === undefined ? (['minimum', 'maximum'] as const) : (['minLength', 'maxLength'] as const);
  const low = { '>=': Number(value), '>': Number(value) + 1, '=': Number(value) }[sign];
  const high = { '<=': Number(value), '<': Number(value) - 1, '=': Number(value) }[sign];
  return { column, limits: { ...(low !== undefined && { [lowest]: low }), ...(high !== undefined && { [highest]: high }) } };
}
