/** Serves the tools of a document on standard input and output, for a server at a URL. */
import { existsSync } from 'node:fs';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { checkDocument, ContractError, modelOf, readDocument } from '@specwright/contract/document';
import { createTools, createMcpServer } from '@specwright/server/mcp';
import { callUrl } from './call-url.ts';
import { credentialsOf, needsCredentials } from './credentials.ts';

export interface ServeUrlOptions {
  readonly file: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Standard output has nothing but the protocol. @throws ContractError, and Error for a document without tools. */
export async function serveUrl({ file, url, key, headers, timeoutMs }: ServeUrlOptions): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} does not exist: name an OpenAPI document with --spec FILE`);
  const source = readDocument(file);
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  const document = modelOf(source.document);
  const tools = createTools(document);
  if (tools.size === 0) throw new Error(`${file} has no tools: add "x-mcp: true" to the operations that agents may call`);
  const secured = [...tools.values()].find((tool) => needsCredentials(document, tool));
  const credentials = key === undefined || secured === undefined ? undefined : credentialsOf(document, secured, key);
  if (secured !== undefined && credentials === undefined && Object.keys(headers).length === 0)
    console.error(`specwright mcp: the tools need a key, and there is none: add --key-env NAME`);
  const call = callUrl({ url, credentials, headers, timeoutMs });
  const { title, version } = document.info;
  serveStdio(() => createMcpServer({ title, version }, tools, call));
  console.error(`specwright mcp: ${tools.size} tools of ${title} for ${url}`);
}
