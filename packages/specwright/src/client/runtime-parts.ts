/** Reads the parts of the runtime of clients, which is written into each of them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const CONTRACT = join(dirname(createRequire(import.meta.url).resolve('@specwright/contract/package.json')), 'src');

/** Of the runtime, what its users see besides types. */
const PUBLIC = [
  'NetworkError',
  'ResponseError',
  'UnexpectedResponseError',
  'orThrow',
  'problemsByField',
  'nodeWebhookHandler',
  'withTexts',
];

/** A part of the runtime, without its imports of other parts. */
export function readRuntime(name: string): string {
  // Parameters and moments are written by the code that servers read them with.
  const folder = name.startsWith('date-') ? 'json' : name.startsWith('encode') ? 'codec' : undefined;
  const file = folder === undefined ? new URL(`../../client/${name}.ts`, import.meta.url) : join(CONTRACT, folder, `${name}.ts`);
  const text = readFileSync(file, 'utf8');
  return (
    text
      .replace(/^\/\*\* (.*) \*\/\n/, '// ---- $1\n')
      // eslint-disable-next-line specwright/linear-expression -- a module of this package
      .replace(/^import [^;]* from '(?:\.|@specwright\/contract\/)[^']*';\n/gm, '')
      .replace(/^export (?=(?:async )?(?:function\*?|const|class) (\w+))/gm, (keyword, symbol: string) =>
        PUBLIC.includes(symbol) ? keyword : '',
      )
  );
}
