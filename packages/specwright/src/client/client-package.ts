/** Makes an npm package of a client: JavaScript and declarations, so that its users need neither a compiler nor settings of theirs. */
import { type SourceDocument, printableSource } from '@specwright/contract/document';
import { escapeMarkdown } from '@specwright/contract/document';
import { javaScriptModule } from '../generate/javascript.ts';
import { clientModule } from './client-module.ts';
import { listPagedOperations } from './client-types.ts';
import { queriesModule } from './queries-module.ts';
import { schemasModule } from './schemas-module.ts';

/** A name that npm accepts: `@acme/petstore-client`. */
export const isPackageName = (name: string): boolean => /^(?:@[a-z\d][a-z\d._-]*\/)?[a-z\d][a-z\d._-]*$/.test(name) && name.length <= 214;

/** @param openapi what `generate` writes as openapi.ts. @returns file name -> content. */
export function clientPackage(source: SourceDocument, openapi: string, name: string): Map<string, string> {
  const module = clientModule(source, './openapi.js');
  const modules = { queries: queriesModule(source.document, './index.js'), schemas: schemasModule(source.document, './index.js') };
  const files: [string, string][] = [
    ['package.json', `${JSON.stringify(manifest(source, name), null, 2)}\n`],
    ['README.md', readme(source, name)],
    ...javaScriptModule('index', module),
    ...Object.entries(modules).flatMap(([file, text]) => javaScriptModule(file, text)),
    ...javaScriptModule('openapi', openapi),
  ];
  return new Map(files.map(([file, text]) => [file, printableSource(text)]));
}

const manifest = ({ document: { info } }: SourceDocument, name: string): object => ({
  name,
  // The contract's, if npm accepts it.
  version: /^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(info.version) ? info.version : '0.0.0',
  description: `A client of ${info.title}`,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  // Of older resolutions, which do not read `exports`.
  main: './index.js',
  types: './index.d.ts',
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './queries': { types: './queries.d.ts', default: './queries.js' },
    './schemas': { types: './schemas.d.ts', default: './schemas.js' },
    './package.json': './package.json',
  },
  files: ['index.js', 'index.d.ts', 'queries.js', 'queries.d.ts', 'schemas.js', 'schemas.d.ts', 'openapi.d.ts'],
});

function readme({ document }: SourceDocument, name: string): string {
  const [paged] = listPagedOperations(document);
  const pages =
    paged === undefined
      ? ''
      : `\nPages are read when they are asked for:\n\n\`\`\`ts\nimport { paginate } from '${name}';\n\nfor await (const { body } of paginate(client, '${paged}')) console.log(body);\n\`\`\`\n`;
  return `# ${name}

A client of ${escapeMarkdown(document.info.title)}, for Node 20 and later and for browsers, without dependencies.

\`\`\`ts
import { createClient, orThrow } from '${name}';

const client = createClient({ baseUrl: 'https://...', credentials: { /* by security scheme */ }, retry: true });
\`\`\`

Each operation is a method: \`client.operation({ path, query, headers, body }, { signal, retry })\`. A reply is one of the responses that the
contract declares; \`status\` or \`ok\` say which, and narrow \`body\` and \`headers\`. \`orThrow(reply)\` throws a \`ResponseError\` for
what is no success. In a browser, the server has to name the origin of a page that it does not serve itself (CORS). An attempt may take 30 seconds (\`timeoutMs\`). \`createPartialClient(options, { operation })\` has the operations that it is given, and bundlers drop the others. With \`retry\` requests that can be repeated are sent again after 429 and 503, when \`Retry-After\` says.
${pages}`;
}
