/** Chooses the handler that a team writes first, and says how it is written, called and tested: for the README of a new project. */
import { join } from 'node:path';
import {
  ContractError,
  type Document,
  type Reference,
  type Response,
  type SourceDocument,
  listOperations,
  operationAt,
  operationTable,
  resolve,
} from '@specwright/contract/document';
import type { SecuritySchemeDefinition } from '@specwright/server';
import type { Stub } from '../stubs/add-stubs.ts';
import { propertyName, format } from '../stubs/typescript-source.ts';
import { stub } from '../stubs/stub-text.ts';
import type { SpecOperation } from '../testing/contract/document.ts';
import { isTokenScheme } from '../testing/contract/refused-credentials.ts';
import { valueOf } from '../testing/contract/values/build-value.ts';
import { type SampleRequest, sampleRequest } from '../testing/contract/values/sample.ts';
import { createWitness } from '../testing/contract/witnesses/witness.ts';
import { TEMPLATE } from './template.ts';

export interface FirstHandler extends Stub {
  /** The line of the stub, and what it is replaced by. */
  readonly stub: string;
  readonly handler: string;
  /** Its line in test/contract/scenarios.ts. */
  readonly scenario: string;
  /** A command of the shell. */
  readonly curl: string;
  /** The schemes of its credentials: all of them have to accept. */
  readonly schemes: readonly string[];
}

const FIRST_KEY = 'first-key';
const ACCOUNT_KEY = '$KEY';
const ACCESS_TOKEN = '$TOKEN';

/** How many operations are tried, and the longest body that a README shows. */
const MAX_TRIED = 30;
const MAX_BODY = 400;
const MAX_STRING = 20;

interface Options {
  readonly source: SourceDocument;
  readonly handlers: readonly Stub[];
  /** Operations that tests cannot call. */
  readonly exemptions: Readonly<Record<string, string>>;
  readonly accounts: boolean;
  /** The schemes whose credentials are access tokens. */
  readonly tokens: readonly string[];
}

/** @returns `undefined` if no handler can be written from what the contract says: no response has a body that could be made. */
export async function chooseFirstHandler({ source, handlers, exemptions, accounts, tokens }: Options): Promise<FirstHandler | undefined> {
  const { document } = source;
  const witness = createWitness(document);
  const found: (FirstHandler & { readonly rank: number })[] = [];
  for (const written of handlers.filter(({ operation }) => !(operation.id in exemptions)).slice(0, MAX_TRIED)) {
    const operation = witness.operation(written.operation.id);
    const schemes = (operation.secured ? (operation.security[0] ?? []) : []).map(({ name }) => name);
    // A constant answer is not what was written, which its test would say.
    if (operation.body !== undefined || operation.deprecated || !schemes.every((name) => canCarryKey(document, name))) continue;
    const answer = await exampleAnswer(document, written, witness);
    if (answer === undefined) continue;
    const keyOf = (scheme: string) => (accounts ? ACCOUNT_KEY : tokens.includes(scheme) ? ACCESS_TOKEN : FIRST_KEY);
    const curl = curlOf(operation, await sampleRequest(document, operation), keyOf);
    if (curl === undefined) continue;
    const name = propertyName(written.operation.id);
    found.push({
      ...written,
      stub: stub(written.operation)[1] ?? '',
      handler: await formatProperty(`${name}: async (_input, reply) => reply(${answer.status}${answer.payload}),`),
      scenario: `${name}: { ${answer.status}: async () => [{}] },`,
      curl,
      schemes,
      rank:
        answer.payload.length +
        curl.length +
        (operation.method === 'GET' ? 0 : 1000) +
        // With accounts one that shows what a key is for.
        (accounts && schemes.length === 0 ? 500 : 0) +
        // A token is more work to get than a key.
        (schemes.some((name) => tokens.includes(name)) ? 500 : 0),
    });
  }
  return found.sort((a, b) => a.rank - b.rank)[0];
}

/** As Prettier writes it in a file of handlers, without the indentation. */
async function formatProperty(text: string): Promise<string> {
  const formatted = await format(join(TEMPLATE, 'src/handlers/first.ts'), `const handlers = {\n${text}\n};\n`);
  return formatted
    .split('\n')
    .slice(1, -2)
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n');
}

/** The first declared success, with a body made from its schema that the contract accepts. */
async function exampleAnswer(document: Document, { operation }: Stub, witness: ReturnType<typeof createWitness>) {
  const status = operation.statuses.map(Number).find((code) => code >= 200 && code < 300);
  if (status === undefined) return undefined;
  const declared = operationAt(document.paths[operation.path], operation.method)?.responses[String(status)];
  const { content = {} } = declared === undefined ? {} : resolve<Response>(document, declared);
  const [entry, ...others] = Object.entries(content);
  if (others.length > 0) return undefined;
  if (entry === undefined) return hasProblems(witness, operation.id, status) ? undefined : { status, payload: '' };
  const [type, media] = entry;
  if (!/[/+]json$/.test(type)) return undefined;
  // A copy: it may be a part of the document.
  const value = structuredClone(await valueOf(document, media.schema, 'response').catch(() => undefined));
  if (value === undefined) return undefined;
  const isValid = (body: unknown) => !hasProblems(witness, operation.id, status, type, JSON.stringify(body));
  const text = JSON.stringify(shorten(value, value, isValid));
  if (text.length > MAX_BODY || !isValid(value)) return undefined;
  return { status, payload: `, { body: ${text.replace(/[\u2028\u2029]/g, ' ')} }` };
}

/** Long strings, which were generated, are `x` where that is valid as well. @param part of `whole`, which is changed. */
function shorten(whole: unknown, part: unknown, isValid: (whole: unknown) => boolean): unknown {
  if (typeof part !== 'object' || part === null) return whole;
  const fields = part as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || value.length <= MAX_STRING) {
      shorten(whole, value, isValid);
      continue;
    }
    fields[name] = 'x';
    if (!isValid(whole)) fields[name] = value;
  }
  return whole;
}

const hasProblems = (witness: ReturnType<typeof createWitness>, id: string, status: number, type?: string, text = '') =>
  witness.problems(id, { status, headers: new Headers(type === undefined ? {} : { 'content-type': type }), text }).length > 0;

/** @returns `undefined` if a part of the request has characters that a person would not type. */
function curlOf(operation: SpecOperation, sample: SampleRequest, keyOf: (scheme: string) => string): string | undefined {
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(sample.path[name] ?? 'x'));
  const query = [...sample.query];
  const options = operation.method === 'GET' ? ['-i'] : ['-i', `-X ${operation.method}`];
  for (const [name, value] of Object.entries(sample.headers)) options.push(`-H ${word(`${name}: ${value}`)}`);
  for (const { name, scheme } of operation.secured ? (operation.security[0] ?? []) : []) {
    const { option, parameter } = credentialsIn(scheme, keyOf(name));
    // Two schemes may have one place, as two flows of OAuth do.
    if (option !== undefined && !options.includes(option)) options.push(option);
    if (parameter !== undefined) query.push(parameter);
  }
  if (sample.body !== undefined) {
    if (sample.type === undefined || !/[/+]json$/.test(sample.type)) return undefined;
    options.push(`-H ${word(`Content-Type: ${sample.type}`)}`, `-d ${word(JSON.stringify(sample.body))}`);
  }
  const command = ['curl', ...options, word(`http://localhost:3000${path}${query.length > 0 ? `?${query.join('&')}` : ''}`)].join(' ');
  return /[\p{Cc}`\u2028\u2029]/u.test(command) ? undefined : command;
}

function credentialsIn(definition: SecuritySchemeDefinition, key: string): { option?: string; parameter?: string } {
  if (definition.type === 'apiKey' && definition.in === 'query') return { parameter: `${encodeURIComponent(definition.name)}=${key}` };
  if (definition.type === 'apiKey' && definition.in === 'cookie') return { option: `-b ${word(`${definition.name}=${key}`)}` };
  if (definition.type === 'apiKey') return { option: `-H ${word(`${definition.name}: ${key}`)}` };
  if (definition.type === 'http' && definition.scheme.toLowerCase() === 'basic')
    return { option: `-u ${word(key === FIRST_KEY ? `first:${key}` : `${key}:`)}` };
  return { option: `-H ${word(`Authorization: Bearer ${key}`)}` };
}

/** A word of the shell, in which the key of an account and an access token are variables. */
function word(text: string): string {
  if (/^[\w./:-]+$/.test(text)) return text;
  const variable = text.includes(ACCESS_TOKEN) ? ACCESS_TOKEN : ACCOUNT_KEY;
  const quoted = text.split(variable).map((part) => (part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`));
  return quoted.join(`"${variable}"`);
}

/** The line of src/security.ts that accepts the example's credentials. @param options.withScopes whether all callers have scopes. */
export function firstAuthenticator(
  document: Document,
  scheme: string,
  { withScopes = false }: { readonly withScopes?: boolean } = {},
): { readonly kind: string; readonly line: string } {
  const definition = definitionOf(document, scheme);
  const isBasic = definition?.type === 'http' && definition.scheme.toLowerCase() === 'basic';
  const kind = definition?.type === 'apiKey' ? 'apiKey' : isBasic ? 'basic' : 'bearer';
  const [parameters, test] =
    kind === 'basic' ? ['name, password', `name === 'first' && password === '${FIRST_KEY}'`] : ['key', `key === '${FIRST_KEY}'`];
  const required = [...new Set(Object.values(operationTable(document)).flatMap(({ scopes }) => scopes?.[scheme] ?? []))];
  const scopes = withScopes || required.length > 0 ? `, scopes: [${required.map((scope) => JSON.stringify(scope)).join(', ')}]` : '';
  return { kind, line: `${propertyName(scheme)}: ${kind}(async (${parameters}) => (${test} ? { id: 'first'${scopes} } : undefined)),` };
}

/** The plans of @specwright/accounts. */
const PLANS = ['free', 'pro', 'business', 'enterprise'];

/** Whether `accountKey` of @specwright/accounts finds a key in the credentials of a scheme. */
export function canCarryKey(document: Document, scheme: string): boolean {
  const definition = definitionOf(document, scheme);
  if (definition === undefined) return false;
  return definition.type !== 'http' || ['bearer', 'basic'].includes(definition.scheme.toLowerCase());
}

function definitionOf(document: Document, scheme: string): SecuritySchemeDefinition | undefined {
  const reference = document.components?.securitySchemes?.[scheme] as Reference | SecuritySchemeDefinition | undefined;
  return reference && resolve<SecuritySchemeDefinition>(document, reference);
}

/** The schemes whose credentials are access tokens of an identity provider, of those that operations require. */
export function tokenSchemes(document: Document, schemes = requiredSchemes(document)): string[] {
  return schemes.filter((scheme) => {
    const definition = definitionOf(document, scheme);
    return definition !== undefined && isTokenScheme(definition);
  });
}

export const requiredSchemes = (document: Document): string[] => [
  ...new Set(Object.values(operationTable(document)).flatMap(({ security }) => security.flat())),
];

/** @throws ContractError, with what to write, if no operation could be called with an API key, or a plan has no limits. */
export function assertAccounts(source: SourceDocument): void {
  const { document, file, locate } = source;
  const schemes = requiredSchemes(document);
  const refuse = (path: (string | number)[], message: string): never => {
    throw new ContractError(file, [{ ...locate(path), message }]);
  };
  if (listOperations(document).length === 0) refuse(['paths'], '--accounts needs an operation that requires credentials: there is none');
  if (schemes.length === 0)
    refuse(
      ['components', 'securitySchemes'],
      '--accounts needs a security scheme that operations require: add components.securitySchemes and security to the document, or leave --accounts out',
    );
  if (!schemes.some((scheme) => canCarryKey(document, scheme)))
    refuse(
      ['components', 'securitySchemes'],
      `--accounts needs a security scheme that can carry an API key (apiKey, http bearer or basic, oauth2, openIdConnect); required are only: ${schemes.join(', ')}`,
    );
  const plans = (document['x-rate-limit-plans'] as { plans?: Record<string, unknown> } | undefined)?.plans;
  const missing = plans === undefined ? [] : PLANS.filter((plan) => !Object.hasOwn(plans, plan));
  if (missing.length > 0) refuse(['x-rate-limit-plans', 'plans'], `--accounts needs limits for its plans; missing: ${missing.join(', ')}`);
}
