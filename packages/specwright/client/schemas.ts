/** Checks values as the schemas of a contract say, before they are sent: Standard Schema, version 1 (standardschema.dev). */

export interface SchemaIssue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
  /** The keyword of the schema: `minLength`, `required`, `format`. */
  readonly code: string;
  /** What the keyword says: a limit, a name, a pattern, the values. */
  readonly expected: unknown;
}

/** What libraries of forms take. The value is not changed: the server fills in defaults. */
export interface ValueSchema<Value> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'specwright';
    readonly validate: (
      value: unknown,
    ) => { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

/** By code. */
export type IssueTexts = Readonly<Record<string, string | ((issue: SchemaIssue) => string)>>;

/** The same schema with other texts: `withTexts(newPetSchema, { required: 'Please fill this in' })`. */
export function withTexts<Value>(schema: ValueSchema<Value>, texts: IssueTexts): ValueSchema<Value> {
  const { validate, ...standard } = schema['~standard'];
  const replaced = (issue: SchemaIssue): SchemaIssue => {
    const text = texts[issue.code] ?? issue.message;
    return { ...issue, message: typeof text === 'string' ? text : text(issue) };
  };
  return {
    '~standard': {
      ...standard,
      validate: (value) => {
        const result = validate(value);
        return result.issues === undefined ? result : { issues: result.issues.map(replaced) };
      },
    },
  };
}

type Path = readonly PropertyKey[];
type Check = (value: unknown, path: Path, issues: SchemaIssue[]) => void;

interface CheckedSchema<Value> extends ValueSchema<Value> {
  readonly '~check': Check;
}

export function createSchema<Value>(make: () => Check): CheckedSchema<Value> {
  let made: Check | undefined;
  const check: Check = (...value) => (made ??= make())(...value);
  const validate = (value: unknown) => {
    const issues: SchemaIssue[] = [];
    check(value, [], issues);
    return issues.length === 0 ? { value: value as Value } : { issues };
  };
  return { '~check': check, '~standard': { version: 1, vendor: 'specwright', validate } };
}

export const reference =
  (schema: () => ValueSchema<unknown>): Check =>
  (...value) =>
    (schema() as CheckedSchema<unknown>)['~check'](...value);

export const all =
  (...checks: readonly Check[]): Check =>
  (...value) =>
    checks.forEach((check) => check(...value));

/** What is too large has no other problem. */
export const bounded =
  (bound: Check, check: Check): Check =>
  (value, path, issues) => {
    const { length } = issues;
    bound(value, path, issues);
    if (issues.length === length) check(value, path, issues);
  };

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'number') return Number.isFinite(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

/** @param type of the values that the keyword is about; `undefined` for any. */
export const rule =
  <T>(type: string | undefined, code: string, expected: unknown, message: string, isValid: (value: T) => boolean): Check =>
  (value, path, issues) => {
    if ((type === undefined || isOfType(type, value)) && !isValid(value as T)) issues.push({ message, path, code, expected });
  };

export const type = (...types: readonly string[]): Check =>
  rule(undefined, 'type', types, `must be ${types.join()}`, (value) => types.some((one) => isOfType(one, value)));

/** Equal values have equal texts: the order of properties does not count (RFC 8259, section 4). */
const comparedText = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    isOfType('object', part) ? Object.fromEntries(Object.entries(part as object).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

export const oneOfValues = (...values: readonly unknown[]): Check => {
  const texts = values.map(comparedText);
  const message = `must be equal to one of the allowed values: ${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')}`;
  return rule(undefined, 'enum', values, message, (value) => texts.includes(comparedText(value)));
};

export const minimum = (limit: number) => rule<number>('number', 'minimum', limit, `must be >= ${limit}`, (value) => value >= limit);
export const maximum = (limit: number) => rule<number>('number', 'maximum', limit, `must be <= ${limit}`, (value) => value <= limit);
export const exclusiveMinimum = (limit: number) =>
  rule<number>('number', 'exclusiveMinimum', limit, `must be > ${limit}`, (value) => value > limit);
export const exclusiveMaximum = (limit: number) =>
  rule<number>('number', 'exclusiveMaximum', limit, `must be < ${limit}`, (value) => value < limit);
export const multipleOf = (divisor: number) =>
  rule<number>('number', 'multipleOf', divisor, `must be multiple of ${divisor}`, (value) => {
    const quotient = value / divisor;
    // 0.3 is a multiple of 0.1.
    return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * Number.EPSILON;
  });

const fewer = (limit: number, unit: string) => `must NOT have fewer than ${limit} ${unit}`;
const more = (limit: number, unit: string) => `must NOT have more than ${limit} ${unit}`;
/** In code points. */
const lengthOf = (text: string): number => Array.from(text).length;
export const minLength = (limit: number) =>
  rule<string>('string', 'minLength', limit, fewer(limit, 'characters'), (text) => lengthOf(text) >= limit);
export const maxLength = (limit: number) =>
  rule<string>('string', 'maxLength', limit, more(limit, 'characters'), (text) => lengthOf(text) <= limit);
export const minItems = (limit: number) =>
  rule<unknown[]>('array', 'minItems', limit, fewer(limit, 'items'), ({ length }) => length >= limit);
export const maxItems = (limit: number) =>
  rule<unknown[]>('array', 'maxItems', limit, more(limit, 'items'), ({ length }) => length <= limit);
const namesOf = (value: object): number => Object.values(value).filter((part) => part !== undefined).length;
export const minProperties = (limit: number) =>
  rule<object>('object', 'minProperties', limit, fewer(limit, 'properties'), (value) => namesOf(value) >= limit);
export const maxProperties = (limit: number) =>
  rule<object>('object', 'maxProperties', limit, more(limit, 'properties'), (value) => namesOf(value) <= limit);
export const uniqueItems = () =>
  rule<unknown[]>(
    'array',
    'uniqueItems',
    true,
    'must NOT have duplicate items',
    (items) => new Set(items.map(comparedText)).size === items.length,
  );

export const pattern = (expression: RegExp, { source }: { readonly source: string } = expression) =>
  rule<string>('string', 'pattern', source, `must match pattern "${source}"`, (text) => expression.test(text));
export const format = (name: string, test: RegExp | ((text: string) => boolean)) =>
  rule<string>('string', 'format', name, `must match format "${name}"`, (text) =>
    typeof test === 'function' ? test(text) : test.test(text),
  );

export const items =
  (check: Check): Check =>
  (value, path, issues) => {
    if (Array.isArray(value)) value.forEach((item, i) => check(item, [...path, i], issues));
  };

/** @param others of the properties that are not named; `false`: there are none. */
export const properties =
  (named: Readonly<Record<string, Check>>, required: readonly string[], others?: Check | false): Check =>
  (value, path, issues) => {
    if (!isOfType('object', value)) return;
    const given = Object.entries(value as object).filter(([, part]) => part !== undefined);
    const names = new Set(given.map(([name]) => name));
    for (const name of required)
      if (!names.has(name)) issues.push({ message: 'is required', path: [...path, name], code: 'required', expected: name });
    for (const [name, part] of given) {
      const check = Object.hasOwn(named, name) ? named[name] : others;
      if (check === false) issues.push({ message: 'is not declared', path: [...path, name], code: 'additionalProperties', expected: name });
      else check?.(part, [...path, name], issues);
    }
  };

/** @param code `oneOf`: exactly one of them accepts the value. */
export const alternatives =
  (code: 'anyOf' | 'oneOf', ...checks: readonly Check[]): Check =>
  (value, path, issues) => {
    const found = checks.map((check) => {
      const own: SchemaIssue[] = [];
      check(value, path, own);
      return own;
    });
    const accepting = found.filter(({ length }) => length === 0).length;
    if (code === 'anyOf' ? accepting > 0 : accepting === 1) return;
    const message = `must match ${code === 'anyOf' ? 'a' : 'exactly one'} schema in ${code}`;
    issues.push(...(accepting === 0 ? found.flat() : []), { message, path, code, expected: checks.length });
  };
