/** Rule: PUT replaces the whole record, so an optional property that is not given is removed or has its default (RFC 9110, section 9.3.4). */
import { declaredDefault, isWriteOnly } from '@specwright/contract/document';
import type { SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { readingOfPath, responseSchemas } from '../read-back.ts';
import { isSameValue, locateRecord } from '../values/compare-values.ts';
import { first, some, viewSchema } from '../values/schema-view.ts';
import { ALL, listVariants, optionalPlaces, REQUIRED, requestSchemas } from '../values/variants.ts';
import type { HttpResponse, Witness } from '../witnesses/witness.ts';
import { propertyIn, type RuleContext } from './rule-context.ts';
import type { Finding, Rule } from './rule.ts';

export const OMITTED_PROPERTIES: Rule = {
  title: 'removes an optional property that is not given',
  cases: (spec, operation) => {
    // One pair of requests shows it for all of them.
    let replaced: Promise<Replaced> | undefined;
    return omittable(spec, operation).map((property) => ({
      name: `omitted ${property}`,
      check: async (context) => examine(context, operation, property, await (replaced ??= replace(context, operation))),
    }));
  },
};

interface Replaced {
  /** The record with all properties, and then without those that are optional. */
  readonly before: unknown;
  readonly after: unknown;
  /** The second request. */
  readonly call: Call;
  readonly response: HttpResponse;
}

/** The optional properties that can be read. */
function omittable(spec: Witness, operation: SpecOperation): string[] {
  const { document } = spec;
  const schemas = requestSchemas(document, operation);
  const reader = operation.method === 'PUT' ? readingOfPath(spec, operation, {})?.operation : undefined;
  const read = reader && responseSchemas(document, reader, 200);
  if (schemas.body === undefined || read === undefined) return [];
  const request = viewSchema(document, schemas.body.schemas);
  const names = [...request.properties.keys()];
  let record = viewSchema(document, read);
  for (const name of locateRecord(document, read, names)?.path ?? []) record = viewSchema(document, record.properties.get(name) ?? []);
  const isHidden = (name: string) => some(viewSchema(document, request.properties.get(name) ?? []), isWriteOnly);
  return optionalPlaces(document, schemas).flatMap((place) => {
    const name = place.slice('body/'.length);
    return place.startsWith('body/') && record.properties.has(name) && !isHidden(name) ? [name] : [];
  });
}

async function replace(context: RuleContext, operation: SpecOperation): Promise<Replaced> {
  const calls = await context.prepare(operation);
  const variants = listVariants(context.spec.document, requestSchemas(context.spec.document, operation));
  const send = async (name: string) => {
    const variant = variants.find((one) => one.name === name);
    if (variant === undefined) throw new Error(`${operation.id} has no request with ${name}`);
    const call = await context.build(operation, calls, variant);
    const response = await context.sendSuccessfully(operation, call);
    return { call, response, record: await context.readWritten(operation, call, response) };
  };
  const { record: before } = await send(ALL);
  const { call, response, record: after } = await send(REQUIRED);
  return { before, after, call, response };
}

async function examine(
  { spec }: RuleContext,
  operation: SpecOperation,
  property: string,
  { before, after, call, response }: Replaced,
): Promise<Finding | undefined> {
  const [was, is] = [propertyIn(before, property), propertyIn(after, property)];
  // It may have to be there: an object has a least number of properties.
  const isGiven = propertyIn(call.body, property) !== undefined;
  if (isGiven || is === undefined || is === null || !isSameValue(was, is)) return undefined;
  const { body } = requestSchemas(spec.document, operation);
  const view = body && viewSchema(spec.document, viewSchema(spec.document, body.schemas).properties.get(property) ?? []);
  if (view && isSameValue(first(view, declaredDefault), is)) return undefined;
  return {
    operation,
    call,
    response,
    problems: [`body/${property} is not given, and is still ${JSON.stringify(is)}, as it was before`],
    fix: `replace the whole record in the handler of ${operation.id}`,
  };
}
