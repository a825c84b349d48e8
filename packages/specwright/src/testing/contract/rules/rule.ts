/** What a rule of the contract walk is: what each operation of a kind does, whatever its noun; derived from the contract. */
import { isSuccess, sendReading, successfulCalls } from '../attempt.ts';
import type { Json, SpecOperation } from '../document.ts';
import type { Call } from '../operation-client.ts';
import { type Reading, findReading, parseBody } from '../read-back.ts';
import { fillIn } from '../values/fill-in.ts';
import { REQUIRED, type Variant, requestSchemas } from '../values/variants.ts';
import { type Walk, exemptPlacesOf } from '../walk-options.ts';
import type { HttpResponse, Witness } from '../witnesses/witness.ts';

export interface Rule {
  readonly title: string;
  /** Where it applies in an operation; empty if it does not. */
  readonly cases: (spec: Witness, operation: SpecOperation) => readonly RuleCase[];
  /** Whether it needs a client with the credentials of another account. */
  readonly needsOtherClient?: boolean;
}

export interface RuleCase {
  /** As an exemption names it, after the operation: `query/status filters`. */
  readonly name: string;
  /** @returns what breaks the rule. @throws NotTriedError, NoValueError */
  readonly check: (context: RuleContext) => Promise<Finding | undefined>;
}

/** A response that breaks a rule, or shows that an earlier one did. */
export interface Finding {
  readonly operation: SpecOperation;
  readonly call: Call;
  readonly response: HttpResponse;
  readonly problems: readonly string[];
  readonly fix: string;
}

/** The rule needs something that is not there yet: an operation that is written, or a record. */
export class NotTriedError extends Error {}

export interface RuleContext {
  readonly spec: Witness;
  readonly scenariosFile: string;
  /** Sends with the credentials of another account, if there is a client with those. */
  readonly other: RuleContext | undefined;
  /** New calls that should succeed. @throws NotTriedError if the scenarios have none. */
  prepare(operation: SpecOperation): Promise<readonly Call[]>;
  /** Makes a call of those, without what is exempt. @param before what is stored. @throws NoValueError */
  build(operation: SpecOperation, calls: readonly Call[], variant: Variant, before?: unknown): Promise<Call>;
  /** @throws NotTriedError if the operation is not written yet. */
  send(operation: SpecOperation, call: Call): Promise<HttpResponse>;
  /** @throws NotTriedError unless the operation succeeds, which other tests report. */
  sendSuccessfully(operation: SpecOperation, call: Call): Promise<HttpResponse>;
  /** Reads with the credentials and server of a call. @throws NotTriedError if the operation is not written yet. */
  read(reading: Reading, call: Call, written?: HttpResponse): Promise<HttpResponse>;
  /** What was written, as the operation reads it that the contract names, else as the response has it. */
  readWritten(operation: SpecOperation, call: Call, response: HttpResponse): Promise<unknown>;
  problems(operation: SpecOperation, response: HttpResponse): readonly string[];
}

/** A variant with the required parts of a request and some values, by place. */
export const withValues = (values: Readonly<Record<string, unknown>>, include: Variant['include'] = 'none'): Variant => ({
  name: REQUIRED,
  include,
  picks: new Map(Object.entries(values)),
  branches: new Set(),
  present: Object.keys(values),
});

export function createRuleContext<World>(walk: Walk<World>): RuleContext {
  const { otherClient, ...own } = walk;
  const { spec, client, scenariosFile } = own;
  const written = (operation: SpecOperation, response: HttpResponse): HttpResponse => {
    if (response.status === 501) throw new NotTriedError(`${operation.id} answers 501`);
    return response;
  };
  const context: RuleContext = {
    spec,
    scenariosFile,
    other: otherClient && createRuleContext({ ...own, client: otherClient }),
    async prepare(operation) {
      const calls = await successfulCalls(walk, operation).catch(() => []);
      if (calls.length === 0) throw new NotTriedError(`no scenario in ${scenariosFile} makes ${operation.id} succeed`);
      const { path } = await client.sample(operation.id);
      return calls.map((call) => ({ ...call, path: { ...path, ...call.path } }));
    },
    async build(operation, calls, variant, before) {
      const schemas = requestSchemas(spec.document, operation);
      const omitted = exemptPlacesOf(walk, operation, schemas, spec.document).filter((place) => !variant.present.includes(place));
      return fillIn({ spec, schemas, sample: await client.sample(operation.id), calls, variant, omitted, before });
    },
    send: async (operation, call) => written(operation, await client.send(operation.id, call)),
    async sendSuccessfully(operation, call) {
      const response = await context.send(operation, call);
      if (!isSuccess(response)) throw new NotTriedError(`${operation.id} answers ${response.status}: ${response.text.slice(0, 200)}`);
      return response;
    },
    read: async (reading, call, response) => written(reading.operation, await sendReading(walk, reading, call, response)),
    async readWritten(operation, call, response) {
      const reading = findReading(spec, { operation, call, response });
      const read = reading && (await context.read(reading, call, response));
      // What is downloaded, such as an image, has no properties.
      return (read !== undefined && isSuccess(read) ? parseBody(read) : undefined) ?? parseBody(response);
    },
    problems: ({ id }, response) => (walk.problems ?? spec.problems)(id, response),
  };
  return context;
}

/** A property of the object that a body is, or of the one object in it. */
export function propertyIn(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  if (Object.hasOwn(body, name)) return (body as Json)[name];
  const inner = Object.values(body).filter((value): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value));
  return inner.length === 1 ? inner[0]?.[name] : undefined;
}
