/** Makes what is generated from a spec: types, operation table, the aliases of both for handlers, and the document that is served. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  ContractError,
  type Document,
  type DocumentOutgoing,
  type SourceDocument,
  assertSchemasCompile,
  checkDocument,
  listOutgoing,
  operationTable,
  outgoingBody,
  outgoingTable,
  printableSource,
  rateLimitPlans,
  unsupportedExpressions,
} from '@specwright/contract/document';
import type { Progress } from '@specwright/server/command';
import { clientModule } from '../client/client-module.ts';
import { queriesModule } from '../client/queries-module.ts';
import { schemasModule } from '../client/schemas-module.ts';
import { digestedFiles, digestRecord } from './generated-files.ts';
import { javaScriptFiles } from './javascript.ts';
import { openapiTypes } from './openapi-types.ts';
import { outgoingBodyType } from './types-document.ts';

export interface GenerateOptions {
  /** Whether the project has a client, `client.ts`; `npx specwright client` makes the first one. */
  readonly client?: boolean;
  /** Whether the modules are JavaScript, with declarations beside; `npx specwright generate --js` makes the first ones. */
  readonly js?: boolean;
  /** Is told what is under way, for a large contract. */
  readonly progress?: Pick<Progress, 'show'>;
}

/** What the folder of generated files has beside what each has, which is then generated with the rest. */
export function generatedForm(folder: string): { readonly client: boolean; readonly js: boolean } {
  const has = (file: string) => existsSync(join(folder, file));
  // A compiler may write contract.js beside contract.ts: the digests have what was generated.
  const js = has('digests.json')
    ? digestedFiles({ root: folder, generated: '' }).includes('contract.js')
    : has('contract.js') && !has('contract.ts');
  return { client: has(js ? 'client.js' : 'client.ts'), js };
}

/**
 * What is generated from a spec.
 *
 * @returns file name -> content.
 * @throws ContractError with every problem of the spec.
 */
export async function generate(source: SourceDocument, options?: GenerateOptions): Promise<Map<string, string>> {
  options?.progress?.show('checking the spec');
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  options?.progress?.show('compiling its schemas');
  assertSchemasCompile(source);
  options?.progress?.show('writing types');
  return generateUnchecked(source, options);
}

/** As `generate`, for a spec that has passed `checkDocument`. @returns file name -> content. */
export async function generateUnchecked(
  source: SourceDocument,
  { client = false, js = false }: GenerateOptions = {},
): Promise<Map<string, string>> {
  const header = '/** Generated from the spec by `npm run generate`. Do not edit: change the spec. */\n';
  const outgoing = outgoingModule(source.document);
  const files = new Map([
    ['openapi.ts', `${header}\n${openapiTypes(source)}`],
    [
      'operations.ts',
      `${header}\n/** Identifies the spec that this was generated from. The server refuses to start with another one. */\n` +
        `export const specDigest = '${source.digest}';\n\n` +
        `/** Each operation without its schemas, by operationId. See \`Operation\` in @specwright/server. */\n` +
        `export const operations = ${constant(operationTable(source.document))};\n\n` +
        `/** Requests in a minute and in a day, by plan, and for each IP address without a valid key (\`x-rate-limit-plans\`). */\n` +
        `export const rateLimitPlans = ${constant(rateLimitPlans(source.document))};\n`,
    ],
    [
      'contract.ts',
      header +
        (source.dates === undefined ? CONTRACT : CONTRACT.replace('rateLimitPlans };', `rateLimitPlans, dates: '${source.dates}' };`)),
    ],
    ...(outgoing === undefined ? [] : [['outgoing.ts', `${header}${outgoing}`] as const]),
    // The document that is served, for tools that read the whole contract from a file.
    ['document.json', `${JSON.stringify(source.published, null, 2)}\n`],
    ...(client
      ? ([
          ['client.ts', clientModule(source)],
          ['queries.ts', queriesModule(source.document)],
          ['schemas.ts', schemasModule(source.document)],
        ] as const)
      : []),
  ]);
  const safe = (js ? javaScriptFiles(files) : [...files]).map(([name, text]) => [name, printableSource(text)] as const);
  return new Map([...safe, digestRecord('digests.json', safe)]);
}

/** The types of handlers, as aliases of those of @specwright/server, so that hovers are short. */
const CONTRACT = `import type * as server from '@specwright/server';
import type { bodyDefaults, components, operations as OperationTypes } from './openapi.ts';
import { operations, rateLimitPlans, specDigest } from './operations.ts';

/** What the types of @specwright/server are instantiated with. */
export interface ContractTypes {
  readonly schemas: components['schemas'];
  readonly operations: OperationTypes;
  readonly bodyDefaults: bodyDefaults;
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
/** What a handler gets beside its input. \`Caller\` is what the authenticators return, \`Db\` the option \`db\` of the server. */
export type Context<Op extends OperationId, Caller = unknown, Db = unknown> = server.Context<ContractTypes, Op, Caller, Db>;
export type Handler<Op extends OperationId, Caller = unknown, Db = unknown> = server.Handler<ContractTypes, Op, Caller, Db>;
/** One handler for each operation. */
export type Handlers<Caller = unknown, Db = unknown> = server.Handlers<ContractTypes, Caller, Db>;
/** One authenticator for each security scheme. */
export type Security<Caller> = server.Security<ContractTypes, Caller>;
`;

/** A value as TypeScript that keeps its literals. `null` has no `as const`. */
const constant = (value: unknown): string => (value === null ? 'null' : `${JSON.stringify(value, null, 2)} as const`);

/** @returns TypeScript; `undefined` for a document that declares neither webhooks nor callbacks. */
function outgoingModule(document: Document): string | undefined {
  const table = outgoingTable(document);
  const outgoing = listOutgoing(document).filter(({ name }) => Object.hasOwn(table, name));
  if (outgoing.length === 0) return undefined;
  const urls = outgoing.filter(({ callback }) => callback !== undefined && unsupportedExpressions(callback.expression).length === 0);
  const types = outgoing.map((one) => `  readonly ${JSON.stringify(one.name)}: ${typeOf(document, one)};\n`);
  return [
    urls.length > 0
      ? `import * as server from '@specwright/server';\nimport type { Input } from './contract.ts';\n`
      : `import type * as server from '@specwright/server';\n`,
    outgoing.some(({ operation }) => operation.requestBody !== undefined) ? `import type { webhooks } from './openapi.ts';\n` : '',
    `\n/** The body of each webhook and callback that the service sends, by the name of the function that sends it. */\n`,
    `export interface OutgoingTypes {\n${types.join('')}}\n`,
    `\n/** What \`createSender\` and \`createWorker\` of @specwright/accounts/webhooks take. */\n`,
    `export const outgoing: server.GeneratedOutgoing<OutgoingTypes> = {\n  table: ${JSON.stringify(table, null, 2).replaceAll('\n', '\n  ')},\n};\n`,
    urls.length > 0 ? `\n${callbackUrls(urls)}` : '',
  ].join('');
}

function typeOf(document: Document, outgoing: DocumentOutgoing): string {
  const kind = outgoing.callback === undefined ? 'server.OutgoingWebhook' : 'server.OutgoingCallback';
  const body = outgoingBody(document, outgoing);
  if (body === undefined) return `${kind}<undefined>`;
  return `${kind}<${outgoingBodyType(outgoing, body.type)}${body.isRequired ? '' : ' | undefined'}>`;
}

const callbackUrls = (outgoing: readonly DocumentOutgoing[]): string =>
  `/** The URL that a request asks to be called back at; \`undefined\` if it names none. Check it with \`checkWebhookUrl\` before it is stored. */\n` +
  `export const callbackUrls = {\n${outgoing
    .map(({ name, callback: { operationId, expression } = { operationId: '', expression: '' } }) => {
      const input = `Input<${JSON.stringify(operationId)}>`;
      return `  ${JSON.stringify(name)}: (input: ${input}): string | undefined => server.callbackUrl(${JSON.stringify(expression)}, input),\n`;
    })
    .join('')}};\n`;
