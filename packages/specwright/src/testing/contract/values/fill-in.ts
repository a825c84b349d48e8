/** Makes the request of a variant from the calls that are known to succeed, the examples of the contract and its schemas. */
import { concreteType, encodePairs } from '@specwright/contract/document';
import type { BuildOptions, Sources } from './build-options.ts';
import { buildValue, exampleValues } from './build-value.ts';
import type { SpecParameter } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { fieldOf, type SampleRequest } from './sample.ts';
import { schemaCheckOf } from './schema-check.ts';
import { viewSchema, type Schemas } from '../../../schema/schema-view.ts';
import type { RequestSchemas, Variant } from './variants.ts';
import type { Witness } from '../witnesses/witness.ts';

export interface FillInOptions {
  readonly spec: Witness;
  readonly schemas: RequestSchemas;
  readonly sample: SampleRequest;
  /** Calls that succeed. The first is what is changed, all are sources of values. */
  readonly calls: readonly Call[];
  readonly variant: Variant;
  /** Optional properties that are left out. */
  readonly omitted: readonly string[];
  /** What is stored before. */
  readonly before?: unknown;
}

/** @throws NoValueError */
export function fillIn({ spec, schemas, sample, calls, variant, omitted, before }: FillInOptions): Call {
  const { document } = spec;
  const [base = {}] = calls;
  const options: BuildOptions = {
    document,
    direction: 'request',
    isValid: schemaCheckOf(document, 'request').isValid,
    omitted,
    ...variant,
  };
  const queries = [...calls.map(({ query }) => query).filter((query) => query !== undefined)].map((query) => new URLSearchParams(query));
  const own = new URLSearchParams(base.query ?? sample.query.join('&'));
  const undeclared = [...own].filter(([name]) => !schemas.query.some(({ parameter }) => parameter.name === name));
  const pairs = undeclared.map((pair) => new URLSearchParams([pair]).toString());
  for (const { parameter, schemas: parts } of schemas.query) {
    const place = `query/${parameter.name}`;
    const isPresent = [...variant.picks.keys(), ...variant.present].some((one) => one === place || one.startsWith(`${place}/`));
    const isGiven = own.has(parameter.name);
    const isIncluded = variant.include === 'all' || (variant.include === 'given' && isGiven);
    if (!parameter.required && !isPresent && (!isIncluded || omitted.includes(place))) continue;
    const read = (from: URLSearchParams) => readQuery(spec, parameter, parts, from);
    const sources: Sources = {
      base: read(own),
      given: queries.map(read).filter((value) => value !== undefined),
      examples: exampleValues(document, parameter),
    };
    pairs.push(...encodePairs(fieldOf(parameter), buildValue(options, parts, place, sources)));
  }
  const path = { ...sample.path, ...base.path };
  const call: Call = { ...base, path, query: pairs.join('&') };
  if (schemas.body === undefined) return call;
  const { media, type } = schemas.body;
  const isSampled = sample.type === type;
  const bodies = calls.map((one) => one.body).filter((body) => body !== undefined);
  const body = buildValue(options, schemas.body.schemas, 'body', {
    base: 'body' in base ? base.body : isSampled ? sample.body : undefined,
    given: bodies,
    examples: exampleValues(document, media),
    before,
  });
  return { ...call, headers: { ...base.headers, 'Content-Type': concreteType(type) }, body };
}

/** The value of a parameter in a query, as its schema has it. */
function readQuery(
  { document }: Witness,
  { name, style = 'form', explode = style === 'form' }: SpecParameter,
  schemas: Schemas,
  query: URLSearchParams,
): unknown {
  const texts = query.getAll(name);
  const [first] = texts;
  if (first === undefined) return undefined;
  const { type, items = [] } = viewSchema(document, schemas);
  const read = (text: string, as = type) =>
    as === 'integer' || as === 'number' ? Number(text) : as === 'boolean' ? text === 'true' : text;
  if (type !== 'array') return read(first);
  const itemType = viewSchema(document, items).type;
  return (explode ? texts : first.split({ spaceDelimited: ' ', pipeDelimited: '|' }[style] ?? ',')).map((text) => read(text, itemType));
}
