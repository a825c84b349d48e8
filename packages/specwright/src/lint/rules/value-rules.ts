/** Rules of values: contradictory bounds; enums, defaults and examples that are not valid for their schema. */
import {
  type CompileSchemaAt,
  type Document,
  KNOWN_FORMATS,
  type Reference,
  type Schema,
  boundsOf,
  declaredDefault,
  formatOf,
  hasKeyword,
  isKnownFormat,
  isObject,
  limitsOf,
  locateExamples,
  locateValues,
  namePattern,
  patternOf,
  pointerTo,
  requiredOf,
  subschemasOf,
  valuesOf,
} from '@specwright/contract/document';
import { didYouMean } from '@specwright/server/command';
import { type Keys, type Rule, type RuleContext, follow, ofSchemas } from './rule.ts';

/** Keywords of which the one must not be greater than the other. */
const BOUNDS = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minContains', 'maxContains'],
] as const;

interface InvalidValue {
  /** The path in the value. */
  readonly at: Keys;
  readonly message: string;
  readonly keyword: string;
  /** The property that the keyword requires. */
  readonly required?: string;
}

/** The first problem of a value, and its path in the value; none if it is valid, or the schema does not compile. */
function validateValue(compile: CompileSchemaAt, schema: Keys, value: unknown): InvalidValue | undefined {
  let validate: ReturnType<CompileSchemaAt>;
  try {
    validate = compile(pointerTo(...schema));
  } catch {
    return undefined;
  }
  if (validate(value)) return undefined;
  // The deepest error is the most specific: those above it, as of `oneOf`, follow from it.
  const errors = [...(validate.errors ?? [])].sort((a, b) => b.instancePath.length - a.instancePath.length);
  const [error] = errors;
  const at = (error?.instancePath ?? '').split('/').slice(1);
  const allowed = (error?.params as { allowedValues?: unknown[] } | undefined)?.allowedValues;
  const extra = (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
  const missing = (error?.params as { missingProperty?: string } | undefined)?.missingProperty;
  const message = namePattern(error?.message ?? 'is not valid');
  const more = allowed !== undefined ? `: ${allowed.join(', ')}` : extra !== undefined ? `: ${extra}` : '';
  return {
    at: at.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')),
    message: `${message}${more}`,
    // Patterns are compiled as formats.
    keyword: /^must (match pattern|be at most )/.test(message) ? 'pattern' : (error?.keyword ?? ''),
    ...(missing !== undefined && { required: missing }),
  };
}

/** Every example of the document, with the path of its schema. */
function* examplesOf({
  document,
  schemas,
  parameters,
  headers,
  mediaTypes,
}: RuleContext): Generator<{ at: Keys; schema: Keys; value: unknown }> {
  for (const { value, path } of schemas) {
    for (const [keys, example] of locateExamples(value)) yield { at: [...path, ...keys], schema: path, value: example };
  }
  const json = mediaTypes.filter(({ path }) => /[/+]json$/.test(String(path.at(-1))));
  for (const { value, path } of [...parameters, ...headers, ...json]) {
    const { schema, example, examples } = value as { schema?: object; example?: unknown; examples?: Record<string, { value?: unknown }> };
    if (schema === undefined) continue;
    const of = [...path, 'schema'];
    if (example !== undefined) yield { at: [...path, 'example'], schema: of, value: example };
    for (const [name, reference] of Object.entries(examples ?? {})) {
      const found = follow<{ value?: unknown }>(document, reference, [...path, 'examples', name]);
      if (found?.value.value !== undefined) yield { at: [...found.path, 'value'], schema: of, value: found.value.value };
    }
  }
}

export const VALUE_RULES: readonly Rule[] = [
  {
    name: 'bounds',
    reason: 'No value can be valid: every request or response with it is refused.',
    fix: 'Swap or widen the bounds.',
    check: ofSchemas(function* (value, path) {
      const limits = limitsOf(value);
      for (const [low, high] of BOUNDS) {
        const { [low]: least = 0, [high]: most = Infinity } = limits;
        if (least > most) yield { path: [...path, low], message: `${low} ${least} is greater than ${high} ${most}` };
      }
      const { lower, upper } = boundsOf(value);
      if (lower === undefined || upper === undefined) return;
      const at = [...path, lower.keyword];
      if (lower.value > upper.value)
        yield { path: at, message: `${lower.keyword} ${lower.value} is greater than ${upper.keyword} ${upper.value}` };
      else if (lower.value === upper.value && (lower.exclusive || upper.exclusive))
        yield { path: at, message: `minimum and maximum are ${lower.value}, and one of them is exclusive` };
    }),
  },
  {
    name: 'known-format',
    reason: 'The validator ignores an unknown format, so values are not checked against it.',
    fix: 'Use a known format, or a pattern.',
    check: ofSchemas(function* (value, path) {
      const format = formatOf(value);
      if (format !== undefined && !isKnownFormat(format))
        yield { path: [...path, 'format'], message: `unknown format ${format}${didYouMean(format, KNOWN_FORMATS)}` };
    }),
  },
  {
    name: 'enum-descriptions',
    reason: '/docs shows x-enumDescriptions beside the values of the enum: a text for another value is never shown.',
    fix: 'Write `x-enumDescriptions: { value: text }` beside the enum, for values that it has.',
    check: ofSchemas(function* (value, path) {
      const texts = (value as Readonly<Record<string, unknown>>)['x-enumDescriptions'];
      if (texts === undefined) return;
      const at = [...path, 'x-enumDescriptions'];
      const values = valuesOf(value)?.map(String);
      if (values === undefined) yield { path: at, message: 'x-enumDescriptions without an enum' };
      else if (!isObject(texts)) yield { path: at, message: 'x-enumDescriptions must be an object: a text for each value' };
      else
        for (const [name, text] of Object.entries(texts)) {
          if (!values.includes(name))
            yield { path: [...at, name], message: `x-enumDescriptions: ${name} is not in the enum${didYouMean(name, values)}` };
          else if (typeof text !== 'string' || text.trim() === '')
            yield { path: [...at, name], message: `x-enumDescriptions: the text of ${name} must be a string that is not empty` };
        }
    }),
  },
  {
    name: 'valid-pattern',
    reason: 'The schema does not compile, so no value can be validated.',
    fix: 'Write an ECMAScript regular expression for the flag u; escape only what needs it.',
    check: ofSchemas(function* (value, path) {
      try {
        new RegExp(patternOf(value) ?? '', 'u');
      } catch (error) {
        yield { path: [...path, 'pattern'], message: (error as Error).message };
      }
    }),
  },
  {
    name: 'valid-enum',
    reason: 'The types allow this value, and the validator refuses it.',
    fix: 'Remove the value, or change the keyword that refuses it.',
    check: ofSchemas(function* (value, path, { compileWithoutValues }) {
      for (const [keys, member] of locateValues(value)) {
        const problem = validateValue(compileWithoutValues, path, member);
        if (problem) yield { path: [...path, ...keys], message: `${JSON.stringify(member)} ${problem.message}` };
      }
    }),
  },
  {
    name: 'valid-default',
    reason: 'A client could not send it: the server does not fill it in, or rejects every request that leaves it out.',
    fix: 'Change the default, or the keyword that refuses it.',
    check: ofSchemas(function* (value, path, { compile }) {
      const standard = declaredDefault(value);
      if (standard === undefined) return;
      const problem = validateValue(compile, path, standard);
      if (problem) yield { path: [...path, 'default', ...problem.at], message: `the default ${problem.message}` };
    }),
  },
  {
    name: 'valid-example',
    reason: 'People copy examples, and mock servers and tests send them.',
    fix: 'Change the example, or the keyword that refuses it.',
    *check(context) {
      for (const { at, schema, value } of examplesOf(context)) {
        const problem = validateValue(context.compile, schema, value);
        if (problem === undefined) continue;
        const cause = findKeyword(context.document, schema, problem.at, problem.keyword, problem.required);
        yield { path: [...at, ...problem.at], message: `the example ${problem.message}`, ...(cause !== undefined && { cause }) };
      }
    },
  },
];

/** Schemas may contain themselves. */
const MAX_DEPTH = 30;

/**
 * The path of `keyword` in the schema that the part of a value at `at` has to match.
 *
 * @param schema the path of the schema of the value; @param required the property that `required` has to name.
 * @returns `undefined` if it is not found, as below a schema that is negated.
 */
function findKeyword(document: Document, schema: Keys, at: Keys, keyword: string, required?: string): Keys | undefined {
  const isMeant = (value: Schema) =>
    hasKeyword(value, keyword) && (keyword !== 'required' || required === undefined || requiredOf(value).includes(required));
  const search = (found: ReturnType<typeof follow<Schema>>, rest: Keys, depth: number): Keys | undefined => {
    if (found === undefined || depth > MAX_DEPTH) return undefined;
    const { value, path } = found;
    if (rest.length === 0 && isMeant(value)) return [...path, keyword];
    const [key, ...below] = rest;
    for (const [keys, part] of subschemasOf(value)) {
      const left = BRANCHES.includes(String(keys[0])) ? rest : isChild(keys, key) ? below : undefined;
      if (left === undefined) continue;
      const result = search(follow<Schema>(document, part, [...path, ...keys]), left, depth + 1);
      if (result !== undefined) return result;
    }
    return undefined;
  };
  return search(follow<Schema>(document, valueAt(document, schema), schema), at, 0);
}

const BRANCHES = ['allOf', 'oneOf', 'anyOf'];

/** Whether a schema within another describes the property or the item of this key. */
function isChild([keyword, name]: Keys, key: string | number | undefined): boolean {
  if (key === undefined) return false;
  if (keyword === 'properties' || keyword === 'prefixItems') return String(name) === String(key);
  return ['items', 'additionalProperties', 'patternProperties', 'unevaluatedProperties'].includes(String(keyword));
}

const valueAt = (value: unknown, path: Keys) =>
  path.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], value) as
    Schema | Reference | undefined;
