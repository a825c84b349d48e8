/**
 * Collects the problems of a value that compiled code has refused, in the order and the words of Ajv.
 *
 * Schemas are interpreted, so what is seldom needed is not compiled, and the run ends with the last problem that is reported.
 */
import type { ErrorObject } from 'ajv';
import { isObject } from '../../document/openapi.ts';
import { remember } from '../../remember.ts';
import { BIG_INTEGER, type CompilerSchema, LATE_REFERENCE, referenceNameOf } from '../schema-reference.ts';
import { TooComplexError, type ValidationRun } from '../validation-run.ts';
import { ARRAY_CHECKS, OBJECT_CHECKS } from './container-checks.ts';
import { isOfType } from './json-type.ts';
import { type CheckBuilder, type CreateCheck, type Keyword, seldom } from './keyword.ts';
import { type Check, EnoughProblemsError, ProblemRun } from './problem-run.ts';
import { BIG_INTEGER_CHECK, NUMBER_CHECKS, READ_ONLY_CHECK, SIZE_CHECKS, STRING_CHECKS, VALUE_CHECKS } from './scalar-checks.ts';

/** The compiled schemas. */
export interface CompiledSchemas extends Pick<CheckBuilder, 'schemaOf' | 'formatOf' | 'takesNumbers' | 'modules'> {
  /** The verdict of the compiled function. */
  readonly isValid: (name: string, value: unknown) => boolean;
}

/** Collects the problems of a value with the schema of a name, within a validation. @throws TooComplexError if none is found in time. */
export type CollectProblems = (name: string, value: unknown) => ErrorObject[];

const reference: CreateCheck = ({ schema, builder }: Keyword) => builder.named(referenceNameOf(schema) ?? '');

/** Also of parts that a schema is divided into. */
const allOf: CreateCheck = ({ value: schemas, build }: Keyword<readonly unknown[]>) => {
  const parts = schemas.map((schema, i) => build(schema, i));
  return (value, at, run) => {
    let isValid = true;
    for (const part of parts) {
      if (part(value, at, run)) continue;
      if (run.isQuiet) return false;
      isValid = false;
    }
    return isValid;
  };
};

/** In the order in which Ajv reports them; `undefined` for values of any type. */
const KEYWORDS: readonly (readonly [type: string | undefined, checks: Readonly<Record<string, CreateCheck>>])[] = [
  [undefined, { $ref: reference, ...VALUE_CHECKS, ...seldom('not', 'anyOf', 'oneOf'), allOf, ...seldom('if'), readOnly: READ_ONLY_CHECK }],
  [undefined, { [BIG_INTEGER]: BIG_INTEGER_CHECK, [LATE_REFERENCE]: reference }],
  ['number', NUMBER_CHECKS],
  ['string', STRING_CHECKS],
  ['array', ARRAY_CHECKS],
  ['object', OBJECT_CHECKS],
];

export function createCollectProblems({ isValid, ...schemas }: CompiledSchemas, run: ValidationRun): CollectProblems {
  const built = new Map<unknown, Check>();
  const build = (schema: unknown, schemaPath: string): Check => {
    let check = built.get(schema);
    if (check === undefined || typeof schema === 'boolean') built.set(schema, (check = createCheck(schema, schemaPath, builder)));
    return check;
  };
  const rootCheck = remember((name: string) => build(schemas.schemaOf(name), `contract://${name}`));
  const named =
    (name: string): Check =>
    (value, at, problems) => {
      const known = problems.verdictOf(name, value);
      if (known === true || (known === false && problems.isQuiet)) return known;
      const verdict = problems.isQuiet ? isValid(name, value) : rootCheck(name)(value, at, problems);
      problems.setVerdict(name, value, verdict);
      return verdict;
    };
  const builder: CheckBuilder = { build, named, ...schemas };
  return (name, value) => {
    const problems = new ProblemRun(run);
    try {
      rootCheck(name)(value, undefined, problems);
    } catch (error) {
      const isCut = error instanceof EnoughProblemsError || (error instanceof TooComplexError && problems.errors.length > 0);
      if (!isCut) throw error;
    }
    return problems.errors;
  };
}

function createCheck(schema: unknown, schemaPath: string, builder: CheckBuilder): Check {
  if (!isObject(schema)) return schema === false ? refuse(schemaPath) : () => true;
  const [checks, sizes] = [checksOf(schema, schemaPath, builder), sizesOf(schema, schemaPath, builder)];
  return (value, at, run) => {
    run.steps.step();
    for (const size of sizes) if (!size(value, at, run)) return false;
    let isValid = true;
    for (const check of checks) {
      if (check(value, at, run)) continue;
      if (run.isQuiet) return false;
      isValid = false;
    }
    return isValid;
  };
}

const refuse =
  (schemaPath: string): Check =>
  (_, at, run) =>
    run.report({ keyword: 'false schema', schemaPath: `${schemaPath}/false schema` }, at, 'boolean schema is false');

function keywordOf(schema: CompilerSchema, keyword: string, schemaPath: string, builder: CheckBuilder): Keyword<never> {
  const path = `${schemaPath}/${keyword}`;
  return {
    keyword,
    schemaPath: path,
    schema,
    value: schema[keyword] as never,
    builder,
    build: (part, ...keys) => builder.build(part, [path, ...keys].join('/')),
  };
}

function checksOf(schema: CompilerSchema, schemaPath: string, builder: CheckBuilder): Check[] {
  const found: Check[] = [];
  const typeCheck = createTypeCheck(schema, schemaPath, builder);
  const reportingType = typeCheck && typeWithKeywords(schema);
  if (typeCheck !== undefined && reportingType === undefined) found.push(typeCheck);
  for (const [type, creators] of KEYWORDS) {
    for (const [name, create] of Object.entries(creators)) {
      const check = schema[name] === undefined ? undefined : create(keywordOf(schema, name, schemaPath, builder));
      if (check !== undefined) found.push(type === undefined ? check : (value, at, run) => !isOfType(type, value) || check(value, at, run));
    }
    if (typeCheck !== undefined && type !== undefined && reportingType === type) found.push(typeCheck);
  }
  return found;
}

function createTypeCheck(schema: CompilerSchema, schemaPath: string, builder: CheckBuilder): Check | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  const types = [type].flat() as string[];
  const keyword = keywordOf(schema, 'type', schemaPath, builder);
  return (value, at, run) => types.some((one) => isOfType(one, value)) || run.report(keyword, at, `must be ${types.join()}`, { type });
}

/** The one type of a schema with keywords about it: Ajv reports another type in the place of their problems. */
function typeWithKeywords({ type, ...schema }: CompilerSchema): string | undefined {
  const [only, ...others] = [type].flat() as string[];
  const isAbout = ([ofType, checks]: (typeof KEYWORDS)[number]) =>
    ofType === only && Object.keys(checks).some((name) => schema[name] !== undefined);
  const hasKeywords = KEYWORDS.some(isAbout) || SIZE_CHECKS.some(([ofType, name]) => ofType === only && schema[name] !== undefined);
  return others.length === 0 && hasKeywords ? only : undefined;
}

function sizesOf(schema: CompilerSchema, schemaPath: string, builder: CheckBuilder): Check[] {
  const found: Check[] = [];
  for (const [type, name, create] of SIZE_CHECKS) {
    const check = schema[name] === undefined ? undefined : create(keywordOf(schema, name, schemaPath, builder));
    if (check !== undefined) found.push((value, at, run) => !isOfType(type, value) || check(value, at, run));
  }
  return found;
}
