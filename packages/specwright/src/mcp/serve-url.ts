/** Serves the tools of a document on standard input and output, for a server at a URL. */
import { printError } from '@specwright/server/command';
import { existsSync } from 'node:fs';
import {
  ContractError,
  type Document,
  type ReadOptions,
  type SecuritySchemeDefinition,
  checkDocument,
  modelOf,
  readDocument,
  securityRequirementsOf,
} from '@specwright/contract/document';
import { readResponse } from '../files/read-response.ts';
import { linkSignals, type CallOperation } from '@specwright/server';
import { type OperationTool, createMcpServer, createTools, serveStdio } from '../libraries/model-context-protocol.ts';

export interface ServeUrlOptions extends ReadOptions {
  readonly file: string;
  /** With what precedes the paths of the contract. */
  readonly url: string;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Standard output has nothing but the protocol. @throws ContractError, and Error for a document without tools. */
export async function serveUrl({ file, allowOutside, url, key, headers, timeoutMs }: ServeUrlOptions): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} does not exist: name an OpenAPI document with --spec FILE`);
  const source = readDocument(file, { allowOutside });
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  const document = modelOf(source.document);
  const tools = createTools(document);
  if (tools.size === 0) throw new Error(`${file} has no tools: add "x-mcp: true" to the operations that agents may call`);
  const secured = [...tools.values()].filter((tool) => needsCredentials(document, tool));
  const ownOf = (tool: OperationTool) => (key === undefined ? undefined : credentialsOf(document, tool, key));
  const credentials = new Map([...tools.values()].map((tool) => [tool.operation.id, ownOf(tool)]));
  if (secured.length > 0 && secured.every(({ operation }) => !credentials.get(operation.id)) && Object.keys(headers).length === 0)
    printError(`specwright mcp: the tools need a key, and there is none: add --key-env NAME`);
  const call = callUrl({ url, credentials, headers, timeoutMs });
  const { title, version } = document.info;
  serveStdio(() => createMcpServer({ title, version }, tools, call));
  printError(`specwright mcp: ${tools.size} tools of ${title} for ${url}`);
}

/** What a model is given at most, in bytes. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

interface UrlOptions extends Omit<ServeUrlOptions, 'file' | 'key' | 'allowOutside'> {
  /** By operation: a key in the query is an unknown parameter of one that does not declare it. */
  readonly credentials: ReadonlyMap<string, SentCredentials | undefined>;
}

/** Redirects are not followed: the key is for this server alone. */
const callUrl =
  ({ url, credentials, headers, timeoutMs }: UrlOptions): CallOperation =>
  async (request, signal) => {
    const own = credentials.get(request.operationId);
    const query = own?.query;
    const target = query === undefined ? request.target : `${request.target}${request.target.includes('?') ? '&' : '?'}${query}`;
    const linked = linkSignals([signal], timeoutMs);
    try {
      const response = await fetch(url.replace(/\/$/, '') + target, {
        method: request.method,
        headers: { ...headers, ...own?.headers, ...request.headers },
        body: request.body ?? null,
        redirect: 'manual',
        signal: linked.signal,
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await readResponse(response, MAX_RESPONSE_BYTES),
      };
    } finally {
      linked.release();
    }
  };

/** How a key is sent to a server, by the security schemes of its contract. */
interface SentCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Of the query: `name=value`, encoded. */
  readonly query: string | undefined;
}

const needsCredentials = (document: Document, { operation }: OperationTool): boolean => {
  const alternatives = securityRequirementsOf(document, operation);
  return alternatives.length > 0 && alternatives.every((schemes) => schemes.length > 0);
};

/** @returns what a key is for the first security scheme of the tool that needs one alone; `undefined` if none does. */
function credentialsOf(document: Document, { operation }: OperationTool, key: string): SentCredentials | undefined {
  const alternatives = securityRequirementsOf(document, operation);
  const scheme = alternatives.find((schemes) => schemes.length === 1)?.[0];
  return scheme && sentAs(scheme.definition, key);
}

function sentAs(definition: SecuritySchemeDefinition, key: string): SentCredentials {
  if (definition.type === 'apiKey') {
    const { name, in: location } = definition;
    if (location === 'query') return { headers: {}, query: `${encodeURIComponent(name)}=${encodeURIComponent(key)}` };
    return { headers: location === 'header' ? { [name]: key } : { Cookie: `${name}=${key}` }, query: undefined };
  }
  const isBasic = definition.type === 'http' && definition.scheme.toLowerCase() === 'basic';
  return { headers: { Authorization: isBasic ? `Basic ${Buffer.from(key).toString('base64')}` : `Bearer ${key}` }, query: undefined };
}
