/** `npm run generate`: writes `generated/` from the spec. `-- --check`: writes nothing, fails if what is there differs. */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import {
  ContractError,
  checkDocument,
  operationTable,
  rateLimitPlans,
  readDocument,
  assertSchemasCompile,
  type SourceDocument,
} from '@specwright/server';
import { SPEC_FILE } from './spec-file.ts';
import { hoistPathReferences } from './hoist.ts';
import { differing, writeGenerated } from './generated.ts';
import { runScript } from './run.ts';

const USAGE = 'usage: npm run generate [-- --check] [-- --spec FILE --out FOLDER]';

/**
 * What `generated/` has to hold for a spec.
 *
 * @returns file name -> content.
 * @throws ContractError with every problem of the spec.
 */
export async function generate(source: SourceDocument): Promise<Map<string, string>> {
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  await assertSchemasCompile(source);
  return emit(source);
}

/** As `generate`, for a spec that has been checked. @returns file name -> content. */
export async function emit(source: SourceDocument): Promise<Map<string, string>> {
  // `readWriteMarkers`: readOnly and writeOnly stay visible, so that `Input` and `Reply` can tell requests from responses.
  // The completed document: there are no types for an operation without an operationId.
  const types = astToString(
    await openapiTS(hoistPathReferences(structuredClone(source.document)) as OpenAPI3, { readWriteMarkers: true, silent: true }),
  );
  const note = '/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */\n';
  return new Map([
    ['openapi.ts', `${note}\n${types}`],
    [
      'operations.ts',
      `${note}\n/** Identifies the spec that this was generated from. The server refuses to start with another one. */\n` +
        `export const specDigest = '${source.digest}';\n\n` +
        `/** Everything about each operation that is not a schema, by operationId. See \`Operation\` in @specwright/server. */\n` +
        `export const operations = ${constant(operationTable(source.document))};\n\n` +
        `/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (\`x-rate-limit-plans\`). */\n` +
        `export const rateLimitPlans = ${constant(rateLimitPlans(source.document))};\n`,
    ],
    ['contract.ts', note + CONTRACT],
  ]);
}

/** The types of handlers, as aliases of those of @specwright/server, so that hovers are short. */
const CONTRACT = `import type * as server from '@specwright/server';
import type { components, operations as OperationTypes } from './openapi.ts';
import { operations, rateLimitPlans, specDigest } from './operations.ts';

/** Everything about this contract that types are made from. */
export interface ContractTypes {
  readonly schemas: components['schemas'];
  readonly operations: OperationTypes;
  readonly table: typeof operations;
  readonly rateLimitPlans: typeof rateLimitPlans;
}

/** What \`loadContract\` compares the spec with. */
export const contract: server.GeneratedContract<ContractTypes> = { operations, digest: specDigest, rateLimitPlans };
export { rateLimitPlans };

export type OperationId = server.OperationId<ContractTypes>;
/** The named schemas of the spec. */
export type Schemas = components['schemas'];
/** A request of an operation, after validation, coercion and defaults. */
export type Input<Op extends OperationId> = server.Input<ContractTypes, Op>;
/** Builds the responses that an operation declares. */
export type Reply<Op extends OperationId> = server.Reply<ContractTypes, Op>;
export type Status<Op extends OperationId> = server.Status<ContractTypes, Op>;
export type Payload<Op extends OperationId, S> = server.Payload<ContractTypes, Op, S>;
/** What a handler knows beside its input. \`Caller\` is what the authenticators find. */
export type Context<Op extends OperationId, Caller = unknown> = server.Context<ContractTypes, Op, Caller>;
export type Handler<Op extends OperationId, Caller = unknown> = server.Handler<ContractTypes, Op, Caller>;
/** One handler for each operation: no more, no less. */
export type Handlers<Caller = unknown> = server.Handlers<ContractTypes, Caller>;
/** One authenticator for each security scheme. */
export type Security<Caller> = server.Security<ContractTypes, Caller>;
`;

/** A value as TypeScript that keeps its literals. `null` has no `as const`. */
const constant = (value: unknown): string => (value === null ? 'null' : `${JSON.stringify(value, null, 2)} as const`);

/** The first line that differs, for a person to recognise what was forgotten. */
function firstDifference(committed: string, wanted: string): string {
  const [have, want] = [committed.split('\n'), wanted.split('\n')];
  const index = want.findIndex((line, i) => line !== have[i]);
  const at = index === -1 ? want.length : index;
  return `line ${at + 1}\n    committed: ${have[at]?.trim() ?? '(end of file)'}\n    generated: ${want[at]?.trim() ?? '(end of file)'}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, spec: { type: 'string' }, out: { type: 'string' } } });
  const spec = relative(process.cwd(), resolve(values.spec ?? SPEC_FILE));
  const out = values.out ?? 'generated';
  const files = await generate(readDocument(spec));
  if (!values.check) {
    for (const path of writeGenerated(out, files)) console.log(`wrote ${path}`);
    return;
  }
  const stale = differing(out, files).map(({ path, committed, wanted }) =>
    committed === undefined
      ? `${path} is missing`
      : `${path} differs from what ${spec} gives, first at ${firstDifference(committed, wanted)}`,
  );
  if (stale.length > 0) throw new Error(`${stale.join('\n')}\nRun \`npm run generate\` and commit the result.`);
  console.log(`${out}/ is what ${spec} gives`);
}

await runScript(import.meta.url, USAGE, main);
