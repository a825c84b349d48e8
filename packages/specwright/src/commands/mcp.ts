/** `specwright mcp` */
import { defineCommand, UsageError } from '@specwright/server/command';
import { OUTSIDE_OPTION } from '../select-contracts.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export const command = defineCommand({
  description:
    'Serves the operations of an OpenAPI document that say "x-mcp: true" as tools for\nagents, on standard input and output (MCP), for a server at any URL.\nThe key is read from an environment variable, so that no list of processes has it.',
  options: {
    spec: { type: 'string', value: 'FILE', required: true, description: 'an OpenAPI document' },
    'allow-outside': OUTSIDE_OPTION,
    url: { type: 'string', value: 'URL', required: true, description: 'the server, with what precedes the paths of the document' },
    'key-env': { type: 'string', value: 'NAME', description: 'the environment variable that has the key, token, or user:password' },
    header: { type: 'string', value: 'FIELD', description: 'a header of each request, such as "X-Tenant: acme"; no secret' },
    timeout: { type: 'string', value: 'MS', description: `how long a call may take, in ms (default: ${DEFAULT_TIMEOUT_MS})` },
  },
  examples: ['specwright mcp --spec openapi.yaml --url https://api.example.com --key-env API_KEY'],
  failure: 'the document cannot be served, or has no tools',
  async run({ values }) {
    const { serveUrl } = await import('../mcp/serve-url.ts');
    const timeoutMs = Number(values.timeout ?? DEFAULT_TIMEOUT_MS);
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1) throw new UsageError('--timeout must be a whole number of ms');
    if (!URL.canParse(values.url) || !/^https?:$/.test(new URL(values.url).protocol))
      throw new UsageError('--url must be a URL with https or http');
    const [, name, value] = /^([\w-]+): *((?! ).*)$/.exec(values.header ?? '') ?? [];
    if (values.header !== undefined && name === undefined) throw new UsageError('--header must be a name, a colon and a value');
    const variable = values['key-env'];
    const key = variable === undefined ? undefined : process.env[variable];
    if (variable !== undefined && !key)
      throw new Error(`the environment variable ${variable} is not set: set it to the key of ${values.url}`);
    const headers: Record<string, string> = name === undefined ? {} : { [name]: value ?? '' };
    await serveUrl({ file: values.spec, allowOutside: values['allow-outside'], url: values.url, key, headers, timeoutMs });
  },
});
