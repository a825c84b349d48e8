/** Validates requests: decodes them strictly, validates them against the contract, and reports problems with the contract's names. */
import { toNativeValues } from '../codec/native-values.ts';
import { bodiesOf, type DeclaredBody } from './declared-bodies.ts';
import { bodyKind } from '../http/media-types.ts';
import { type DocumentModules, moduleOf } from '../document-modules.ts';
import type { Field } from './multipart/field-decoder.ts';
import {
  locatedParametersOf,
  pointerTo,
  resolve,
  type Document,
  type DocumentOperation,
  type MediaType,
  type Parameter,
  type Schema,
} from '../document/openapi.ts';
import { hasNativeValues } from '../schema/native-values.ts';
import type { CompileSchemaAt } from '../schema/compile-schema.ts';
import type { SchemaValidator } from '../schema/schema-validator.ts';
import { describeErrors, type ValueProblem } from '../schema/validation-error.ts';
import type { UploadedFiles } from '../types/uploaded-files.ts';
import { createValueShape, type ValueShape } from '../codec/typed-values.ts';
import { createParameterDecoder, type DecodeParameters, type RawParameters, type RequestProblem } from './parameter-decoder.ts';

/**
 * A request after its body was read. `type` is the declared media type of the body, `undefined` if there is no body. The
 * body of a form is its text, that of multipart its fields, that of JSON the value, that of any other type what the handler gets.
 */
export interface IncomingRequest extends RawParameters {
  readonly body: unknown;
  readonly type: string | undefined;
}

/** A valid request: typed values, with defaults. */
export interface ValidInput {
  readonly path: Values;
  /** By name; of an operation with a parameter `in: querystring` its value. */
  readonly query: Values;
  readonly headers: Values;
  readonly cookies: Values;
  readonly body: unknown;
  readonly files?: UploadedFiles | undefined;
}

type Values = Readonly<Record<string, unknown>>;

export interface RequestValidation {
  readonly input: ValidInput;
  readonly problems: readonly RequestProblem[];
}

export type RequestValidator = (request: IncomingRequest) => RequestValidation;

/** The schemas of an operation's requests, with what each is for: `a parameter`, `the application/json body`. */
export interface RequestSchema {
  readonly pointer: string;
  readonly purpose: string;
}

interface ParameterCheck {
  readonly name: string;
  readonly location: string;
  readonly values: keyof DecodedValues;
  readonly required: boolean;
  /** Of a parameter that is absent, one for each request. */
  readonly defaultValue: (() => unknown) | undefined;
  readonly validator: SchemaValidator | undefined;
  /** The shape of its values, if they have parts that are `bigint` or `Date`. */
  readonly nativeShape: ValueShape | undefined;
}

type DecodedValues = Parameters<DecodeParameters>[1];

type BodyDecoder = (body: unknown) => { readonly value: unknown; readonly problems: readonly RequestProblem[] };

interface BodyCheck {
  /** Of what has to be decoded before it can be validated. */
  readonly decode: BodyDecoder | undefined;
  readonly validator: SchemaValidator | undefined;
  readonly nativeShape: ValueShape | undefined;
}

/**
 * Creates the request validator of an operation. What it compiles is compiled once for all operations.
 *
 * @throws Error if a schema does not compile; `assertSchemasCompile` finds those before.
 */
export function createRequestValidator(
  document: Document,
  modules: DocumentModules,
  compile: CompileSchemaAt,
  operation: DocumentOperation,
): RequestValidator {
  const decode = createParameterDecoder(document, (options) => moduleOf(modules, 'forms').createPairsDecoder(options), operation);
  const checks = locatedParametersOf(document, operation).map(({ value, pointer }) =>
    parameterCheck(document, modules, compile, value, pointer),
  );
  const bodies = new Map(bodiesOf(document, operation).map((body) => [body.type, bodyCheck(document, modules, compile, body)]));
  const checkQuery = queryCheck(document, modules, compile, operation);
  const has = (values: keyof DecodedValues): boolean => checks.some((check) => check.values === values);
  const [hasPath, hasQuery, hasHeaders, hasCookies] = [has('path'), has('query'), has('headers'), has('cookies')];

  return (incoming) => {
    const { type } = incoming;
    let { body } = incoming;
    const decoded: DecodedValues = {
      path: hasPath ? {} : NOTHING,
      query: hasQuery ? {} : NOTHING,
      headers: hasHeaders ? {} : NOTHING,
      cookies: hasCookies ? {} : NOTHING,
    };
    const problems: RequestProblem[] = [];
    decode(incoming, decoded, problems);
    const query = checkQuery?.(incoming.search, problems);
    const check = type === undefined ? undefined : bodies.get(type);
    if (check?.decode !== undefined) body = decodeBody(check.decode, body, problems);
    const invalid: ValueProblem[] = [];
    if (query?.invalid !== undefined) invalid.push(...query.invalid);
    for (const parameter of checks) checkParameter(parameter, decoded[parameter.values], invalid);
    if (check !== undefined) body = checkBody(check, body, invalid);
    return {
      input: {
        path: decoded.path,
        query: query === undefined ? decoded.query : query.value,
        headers: decoded.headers,
        cookies: decoded.cookies,
        body,
      },
      problems: invalid.length === 0 && problems.length <= 1 ? problems : merge(problems, invalid),
    };
  };
}

function decodeBody(decode: BodyDecoder, body: unknown, problems: RequestProblem[]): unknown {
  const decoded = decode(body);
  problems.push(...decoded.problems);
  return decoded.value;
}

/** What an operation declares nothing for. */
const NOTHING: Record<string, unknown> = Object.freeze({});

/** Fills in a default. Adds what is wrong with the value to `problems`. */
function checkParameter(check: ParameterCheck, values: Record<string, unknown>, problems: ValueProblem[]): void {
  const { name, location, required, defaultValue, validator, nativeShape } = check;
  if (!Object.hasOwn(values, name)) {
    if (defaultValue !== undefined) values[name] = defaultValue();
    if (required) problems.push({ location, message: 'is required', keyword: 'required' });
  } else if (validator?.isValid(values[name]) === false) problems.push(...describeErrors(location, validator.problems(values[name])));
  else if (nativeShape !== undefined) values[name] = toNativeValues(nativeShape, values[name]);
}

/** Adds what is wrong with the value of a body to `problems`. @returns the value for the handler. */
function checkBody({ validator, nativeShape }: BodyCheck, body: unknown, problems: ValueProblem[]): unknown {
  if (validator?.isValid(body) === false) problems.push(...describeErrors('body', validator.problems(body)));
  // Defaults were filled in as numbers and texts.
  return nativeShape === undefined ? body : toNativeValues(nativeShape, body);
}

const VALUES = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** The pointer of a parameter's schema; `undefined` for one that takes any value. */
function schemaPointerOf({ schema, content }: Parameter, pointer: string): string | undefined {
  if (schema !== undefined) return `${pointer}/schema`;
  const [[type, media] = []] = Object.entries(content ?? {});
  return type === undefined || media?.schema === undefined ? undefined : pointer + pointerTo('content', type, 'schema').slice(1);
}

function parameterCheck(
  document: Document,
  modules: DocumentModules,
  compile: CompileSchemaAt,
  parameter: Parameter,
  pointer: string,
): ParameterCheck {
  const { name, in: location } = parameter;
  const schema = schemaPointerOf(parameter, pointer);
  const resolved = schema === undefined ? {} : resolve<Schema>(document, { $ref: schema });
  const nativeShape = nativeShapeOf(document, resolved);
  return {
    name,
    location: `${location}/${name}`,
    values: VALUES[location],
    required: parameter.required === true || location === 'path',
    defaultValue: modules.defaultValues?.createDefault(document, resolved, nativeShape && ((value) => toNativeValues(nativeShape, value))),
    validator: schema === undefined ? undefined : compile.validatorAt(schema),
    nativeShape,
  };
}

interface CheckedQuery {
  readonly value: Values;
  readonly invalid: ValueProblem[] | undefined;
}

function queryCheck(
  document: Document,
  { wholeQuery, defaultValues }: DocumentModules,
  compile: CompileSchemaAt,
  operation: DocumentOperation,
): ((search: string, problems: RequestProblem[]) => CheckedQuery) | undefined {
  const declared = wholeQuery?.declaredQueryOf(document, operation);
  if (wholeQuery === undefined || declared === undefined) return undefined;
  const { schema = {} } = declared.media;
  const decode = wholeQuery.createQueryDecoder(document, operation, declared);
  const validator = declared.schemaPointer === undefined ? undefined : compile.validatorAt(declared.schemaPointer);
  const nativeShape = nativeShapeOf(document, schema);
  const defaultValue = defaultValues?.defaultOf(document, schema);
  const decoded = (value: unknown): Values => (nativeShape === undefined ? value : toNativeValues(nativeShape, value)) as Values;
  return (search, problems) => {
    const value = decode(search, problems);
    if (value === undefined) {
      const invalid = declared.required ? [{ location: 'query', message: 'is required' }] : undefined;
      return { value: decoded(structuredClone(defaultValue)), invalid };
    }
    const invalid = validator?.isValid(value) === false ? describeErrors('query', validator.problems(value)) : undefined;
    return { value: decoded(value), invalid };
  };
}

const bodyCheck = (
  document: Document,
  modules: DocumentModules,
  compile: CompileSchemaAt,
  { type, media, schemaPointer }: DeclaredBody,
): BodyCheck => ({
  decode: bodyDecoder(document, modules, type, media),
  validator: schemaPointer === undefined ? undefined : compile.validatorAt(schemaPointer),
  nativeShape: nativeShapeOf(document, media.schema ?? {}),
});

function bodyDecoder(document: Document, modules: DocumentModules, type: string, media: MediaType): BodyDecoder | undefined {
  const kind = bodyKind(type);
  if (kind === 'form') {
    const decode = moduleOf(modules, 'forms').createFormDecoder(document, media);
    return (body) => decode(String(body));
  }
  if (kind !== 'multipart') return undefined;
  const decode = moduleOf(modules, 'multipart').createFieldDecoder(document, media);
  return (body) => decode(body as readonly Field[]);
}

const nativeShapeOf = (document: Document, schema: Schema): ValueShape | undefined =>
  hasNativeValues(document, [schema]) ? createValueShape(document, schema) : undefined;

export function requestSchemas(
  document: Document,
  { itemBodies, wholeQuery }: DocumentModules,
  operation: DocumentOperation,
): RequestSchema[] {
  const parameters = locatedParametersOf(document, operation).map(({ value, pointer }) => ({
    pointer: schemaPointerOf(value, pointer),
    purpose: 'a parameter',
  }));
  const bodies = bodiesOf(document, operation).map(({ type, schemaPointer }) => ({ pointer: schemaPointer, purpose: `the ${type} body` }));
  const items = (itemBodies?.itemBodiesOf(document, operation) ?? []).map(({ type, schemaPointer }) => ({
    pointer: schemaPointer,
    purpose: `the items of the ${type} body`,
  }));
  const query = wholeQuery?.declaredQueryOf(document, operation);
  const queries = query === undefined ? [] : [{ pointer: query.schemaPointer, purpose: 'the query' }];
  return [...parameters, ...queries, ...bodies, ...items].flatMap(({ pointer, purpose }) =>
    pointer === undefined ? [] : [{ pointer, purpose }],
  );
}

/** The decoder's problems come first; those of the validator at the same location repeat them. */
function merge(decoder: readonly RequestProblem[], validator: readonly RequestProblem[]): RequestProblem[] {
  const locations = [...new Set(decoder.map((problem) => problem.location))];
  const texts = new Set<string>();
  return [
    ...decoder,
    ...validator.filter((problem) => !locations.some((location) => `${problem.location}/`.startsWith(`${location}/`))),
  ].filter((problem) => {
    const text = `${problem.location} ${problem.message}`;
    return !texts.has(text) && texts.add(text);
  });
}
