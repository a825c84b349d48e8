/** Fills the first steps of a new project's README with its own first handler: where it is, how it is written, called and tested. */
import type { Document } from '@specwright/server/document';
import { mergeSections } from './markdown-sections.ts';
import { firstAuthenticator, type FirstHandler } from './first-handler.ts';

const CREDENTIALS = '### 2. Credentials';

interface Options {
  readonly document: Document;
  readonly first: FirstHandler | undefined;
  /** All that operations require. */
  readonly schemes: readonly string[];
  readonly accounts: boolean;
}

/** @param readme that of the template, whose examples are of the template contract. */
export function fillFirstSteps(readme: string, { document, first, schemes, accounts }: Options): string {
  let text = readme;
  const replace = (line: string, by: string) => (text = replaceText(text, line, by));
  if (schemes.length === 0)
    text = mergeSections(
      text,
      `${CREDENTIALS}\n\nThe contract has no security schemes that an operation requires: there is nothing to do.\n`,
    );
  else if (!accounts) {
    const [scheme = '', ...others] = first !== undefined && first.schemes.length > 0 ? first.schemes : schemes;
    const lines = [scheme, ...others.filter((name) => first?.schemes.includes(name))].map((name) => firstAuthenticator(document, name));
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
      lines.map(({ line }) => `  ${line}`).join('\n'),
    );
  }
  if (first === undefined) return text;
  const [file = '', line = ''] = first.location.split(':');
  replace('`src/handlers/things.ts`, line 13,', `\`${file}\`, line ${line},`);
  replace("getThing: async () => notImplemented('getThing'),", first.stub);
  replace("getThing: async (_input, reply) => reply(200, { body: { name: 'x' } }),", first.handler);
  replace('  getThing: { 200: async () => [{}] },', `  ${first.scenario}`);
  replace('curl -i http://localhost:3000/things/1', first.curl);
  return text;
}

/** @throws Error if the page does not have the text, so that nothing is left unfilled unnoticed. */
function replaceText(page: string, text: string, by: string): string {
  if (!page.includes(text)) throw new Error(`the template's README.md does not have: ${text}`);
  return page.replace(text, () => by);
}
