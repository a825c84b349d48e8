/** Fills the first steps of a new project's README with its own first handler: where it is, how it is written, called and tested. */
import type { Document } from '@specwright/contract/document';
import { mergeSections } from './template.ts';
import { firstAuthenticator, type FirstHandler } from './first-handler.ts';
import type { Stub } from '../stubs/add-stubs.ts';
import { stub } from '../stubs/stub-text.ts';
import { propertyName } from '../stubs/typescript-source.ts';

const CREDENTIALS = '### 2. Credentials';
const HANDLER = '### 3. The first handler';
const TEST = '### 4. Its test';

const LOOKED_UP =
  'Later the function in `src/security.ts` looks the key up, and `createCredentials`, which is given the database of the tests, stores one.';

const TOKENS = `Access tokens are those of your identity provider. Stop \`npm run dev\`, and start it with its URL (what \`iss\` of tokens is, to the letter)
and with the name of this API there (what \`aud\` has):

\`\`\`sh
TOKEN_ISSUER=https://login.example.com/ TOKEN_AUDIENCE=https://api.example.com npm run dev
\`\`\`

\`TOKEN_TYPE\` is what \`typ\` of tokens is: \`at+jwt\` by default, \`JWT\` for Keycloak, Auth0 and Entra, \`any\` for providers that write nothing. Without the first two an
operation that needs a token answers 501, and the log says why. With them it answers 401 without a valid token, and 403 with one that lacks the scopes which the
contract requires; both say so in \`WWW-Authenticate\`. Nothing has to be written: a handler is given \`caller.id\` and \`caller.scopes\`, as \`src/security.ts\` makes them.

Tests start a provider of their own, in \`test/support/credentials.ts\`, and try each operation without a token, and with tokens that are for another API, have
expired, or lack scopes.`;

interface Options {
  readonly document: Document;
  readonly first: FirstHandler | undefined;
  /** All that are to be written: where no first one is chosen, the page names the one of the top. */
  readonly handlers: readonly Stub[];
  /** All that operations require. */
  readonly schemes: readonly string[];
  /** Those whose credentials are access tokens. */
  readonly tokens: readonly string[];
  readonly accounts: boolean;
}

/** @param readme that of the template, whose examples are of the template contract. */
export function fillFirstSteps(readme: string, { document, first, handlers, schemes, tokens, accounts }: Options): string {
  let text = readme;
  const replace = (line: string, by: string) => (text = replaceText(text, line, by));
  if (schemes.length === 0)
    text = mergeSections(
      text,
      `${CREDENTIALS}\n\nThe contract has no security schemes that an operation requires: there is nothing to do.\n`,
    );
  else if (!accounts && tokens.length === schemes.length) text = mergeSections(text, `${CREDENTIALS}\n\n${TOKENS}\n`);
  else if (!accounts) {
    const unverified = (names: readonly string[] = []) => names.filter((name) => !tokens.includes(name));
    const [scheme = '', ...others] = unverified(first?.schemes).length > 0 ? unverified(first?.schemes) : unverified(schemes);
    const withScopes = tokens.length > 0;
    const lines = [scheme, ...others.filter((name) => first?.schemes.includes(name))].map((name) =>
      firstAuthenticator(document, name, { withScopes }),
    );
    const kinds = [...new Set(lines.map(({ kind }) => kind))];
    const isLast = schemes.length === lines.length;
    replace(
      "import { apiKey } from '@specwright/server';",
      `import { ${[...kinds, ...(isLast ? [] : ['unimplementedScheme'])].join(', ')} } from '@specwright/server';`,
    );
    if (kinds.includes('basic'))
      replace(
        "replace `'sample'` by `'first-key'`.",
        `replace ${[...(kinds.length > 1 ? ["`'sample'` by `'first-key'`"] : []), "`'name:password'` by `'first:first-key'`"].join(', and ')}.`,
      );
    replace(
      "  templateKey: apiKey(async (key) => (key === 'first-key' ? { id: 'first' } : undefined)),",
      lines.map(({ line }) => `${withScopes ? '    ' : '  '}${line}`).join('\n'),
    );
    if (tokens.length > 0) replace(LOOKED_UP, `${LOOKED_UP}\n\n${TOKENS}`);
  }
  if (first === undefined) return mergeSections(text, stepsOf(handlers[0]));
  const [file = '', line = ''] = first.location.split(':');
  replace('`src/handlers/things.ts`, line 12,', `\`${file}\`, line ${line},`);
  replace("getThing: async () => notImplemented('getThing'),", first.stub);
  replace("getThing: async (_input, reply) => reply(200, { body: { name: 'x' } }),", first.handler);
  replace('  getThing: { 200: async () => [{}] },', `  ${first.scenario}`);
  replace('curl -i http://localhost:3000/things/1', first.curl);
  return text;
}

/** The handler and its test, of an operation for which no response was made: by hand. */
function stepsOf(handler: Stub | undefined): string {
  if (handler === undefined)
    return `${HANDLER}\n\nThe contract has no operation yet: [Change the contract](#change-the-contract).\n\n${TEST}\n\nComes with the first operation.\n`;
  const { operation, location } = handler;
  const [file = '', line = ''] = location.split(':');
  const status = operation.statuses.find((one) => /^2\d\d$/.test(one)) ?? operation.statuses[0] ?? '200';
  return `${HANDLER}

In \`${file}\`, line ${line}, is

\`\`\`ts
${stub(operation).at(-1) ?? ''}
\`\`\`

A handler takes \`(input, reply, context)\`, and returns a \`reply(...)\` of what the contract declares for it: ${operation.statuses.join(', ')}. Another status,
header or property does not compile. An error that ends the request is \`throw new AppError('not_found', '...')\`, of \`src/errors.ts\`.

${TEST}

\`npm test\` fails once it is written: it needs a scenario, a function that returns the calls which make it answer a status. In
\`test/contract/scenarios.ts\`, replace the last line by

\`\`\`ts
export const SCENARIOS: Scenarios = {
  ${propertyName(operation.id)}: { ${status}: async () => [{}] },
};
\`\`\`

\`[{}]\` is one call, of a request made from the contract; \`[{ path: { ... }, query: 'a=1', body: { ... } }]\` changes what the test is about. An operation
that no request can reach is listed in \`test/contract/exemptions.json\`.
`;
}

/** @throws Error if the page does not have the text, so that nothing is left unfilled unnoticed. */
function replaceText(page: string, text: string, by: string): string {
  if (!page.includes(text)) throw new Error(`the template's README.md does not have: ${text}`);
  return page.replace(text, () => by);
}
