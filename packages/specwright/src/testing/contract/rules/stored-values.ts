/** Rules of what is stored: values at the bounds of the contract, and records twice. A constraint of the database may refuse them, and no request may be an internal error. */
import { formatOf, isReadOnly, patternOf } from '@specwright/contract/document';
import type { SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { declaredHeaders } from '../read-back.ts';
import { type SchemaView, first, some, viewSchema } from '../../../schema/schema-view.ts';
import { requestSchemas } from '../values/variants.ts';
import type { Witness } from '../witnesses/witness.ts';
import { type Finding, type Rule, type RuleContext, withValues } from './rule.ts';

const WRITES = ['POST', 'PUT', 'PATCH'];

/** Rule: what the contract accepts is stored, or refused with a status that is declared, at the ends of its range too. */
export const EDGE_VALUES: Rule = {
  title: 'stores or rejects the least and the greatest values',
  cases: (spec, operation) =>
    edgesOf(spec, operation).map(([property, values]) => ({
      name: `edges of ${property}`,
      check: (context) => checkEdges(context, operation, property, values),
    })),
};

function edgesOf({ document, valueProblems }: Witness, operation: SpecOperation): [property: string, values: readonly unknown[]][] {
  const { body } = requestSchemas(document, operation);
  const canSucceed = operation.statuses.some((status) => /^[2d]/.test(status));
  if (body === undefined || !canSucceed || !WRITES.includes(operation.method)) return [];
  return [...viewSchema(document, body.schemas).properties].flatMap(([property, schemas]): [string, readonly unknown[]][] => {
    const view = viewSchema(document, schemas);
    const isValid = (value: unknown) => view.parts.every(({ pointer }) => valueProblems(pointer, value).length === 0);
    const values = some(view, isReadOnly) || view.values !== undefined ? [] : candidates(view).filter(isValid);
    return values.length === 0 ? [] : [[property, values]];
  });
}

/** A longer text shows nothing more. */
const MAX_LENGTH = 10_000;

/** What PostgreSQL, and a column that is narrower than its schema, cannot hold. */
function candidates(view: SchemaView): unknown[] {
  const format = first(view, formatOf);
  const { minLength = 1, maxLength = MAX_LENGTH, minimum = -Infinity, maximum = Infinity } = view.limits;
  // With their offsets they are in the years 0 and 10000.
  if (format === 'date-time') return ['0001-01-01T00:00:00+12:00', '9999-12-31T23:59:59-12:00'];
  if (format === 'date') return ['0000-01-01', '9999-12-31'];
  if (view.type === 'string' && format === undefined && first(view, patternOf) === undefined)
    return ['\u0000'.padEnd(minLength, 'x'), '\u{1f415}'.repeat(Math.min(maxLength, MAX_LENGTH))];
  const largest = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  if (view.type === 'integer' || view.type === 'number') return [Math.max(minimum, -largest), Math.min(maximum, largest)];
  return [];
}

async function checkEdges(
  context: RuleContext,
  operation: SpecOperation,
  property: string,
  values: readonly unknown[],
): Promise<Finding | undefined> {
  for (const value of values) {
    const calls = await context.prepare(operation);
    const include = operation.method === 'PATCH' ? 'none' : 'given';
    const call = await context.build(operation, calls, withValues({ [`body/${property}`]: value }, include));
    const found = await sendStored(context, operation, call, `body/${property} is ${JSON.stringify(value).slice(0, 100)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Rule: what is created twice, or is replaced by what another record has, is stored or refused with a status that is declared. It
 * reaches the unique constraints.
 */
export const REPEATED_REQUESTS: Rule = {
  title: 'stores or rejects the same values a second time',
  cases: (spec, operation) => {
    const isCreation = operation.method === 'POST' && declaredHeaders(spec.document, operation, 201).includes('location');
    const isReplacement = operation.method === 'PUT' && operation.path.includes('{');
    const hasBody = requestSchemas(spec.document, operation).body !== undefined;
    return hasBody && (isCreation || isReplacement) ? [{ name: 'repeated', check: (context) => checkRepeated(context, operation) }] : [];
  },
};

async function checkRepeated(context: RuleContext, operation: SpecOperation): Promise<Finding | undefined> {
  const [call = {}] = await context.prepare(operation);
  // Another record, where the path names one.
  const [other = {}] = await context.prepare(operation);
  const sample = await context.build(operation, [call], withValues({}, 'given'));
  await context.sendSuccessfully(operation, sample);
  return sendStored(context, operation, { ...sample, ...(other.path && { path: other.path }) }, 'these values are stored already');
}

/** Sends what may be refused, but only as the contract says. */
async function sendStored(context: RuleContext, operation: SpecOperation, given: Call, what: string): Promise<Finding | undefined> {
  const call: Call = { ...given, notJudged: 'the database may refuse what the contract accepts' };
  const response = await context.send(operation, call);
  const problems = [...(response.status < 500 ? [] : [`${what}: status ${response.status}`]), ...context.problems(operation, response)];
  if (problems.length === 0) return undefined;
  const fix = `answer 4XX in the handler of ${operation.id}, by an entry of the constraint in onWrite, or have the contract refuse it`;
  return { operation, call, response, problems, fix };
}
