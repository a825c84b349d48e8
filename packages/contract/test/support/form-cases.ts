/** The rows of docs/how-to/forms.md and of test/forms.md: contracts with bodies, and the decoded values. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { tableRows } from './markdown-tables.ts';

export interface FormCase {
  readonly title: string;
  /** The Media Type Object. */
  readonly media: { readonly schema: object; readonly encoding?: object };
  readonly body: string;
  /** Without a problem. */
  readonly value?: unknown;
  readonly problem?: string;
}

const PAGES = ['../../../../docs/how-to/forms.md', '../forms.md'];

export const readFormCases = (): FormCase[] =>
  PAGES.flatMap((page) => tableRows(readFileSync(new URL(page, import.meta.url), 'utf8'))).map((row) => {
    const {
      Form: form,
      'Property `a`': property = '',
      'Its `encoding`': encoding = '',
      Body: body = '',
      'Value or problem': result = '',
    } = row;
    const closed = { type: 'object', properties: { a: parse(property) as unknown }, additionalProperties: false };
    return {
      title: Object.values(row).join(' '),
      media: {
        schema: form === undefined ? closed : (parse(form) as object),
        ...(encoding !== '' && { encoding: { a: parse(encoding) as object } }),
      },
      body,
      ...(result.startsWith('body') ? { problem: result } : { value: valueOf(result) }),
    };
  });

/** JSON, in which `5n` is a `bigint`. */
const valueOf = (text: string): unknown =>
  JSON.parse(text.replace(/(\d+)n\b/g, '"$1n"'), (_, value: unknown) =>
    typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  );
