/** The rows of docs/forms.md: contracts with bodies, and what each body is decoded to. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface FormCase {
  readonly title: string;
  readonly schema: object;
  readonly encoding: Readonly<Record<string, object>> | undefined;
  readonly body: string;
  /** Without a problem. */
  readonly value?: unknown;
  readonly problem?: string;
}

/** The cells of a row of Markdown, without their code quotes. */
const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .trim()
        .replace(/^`(.*)`$/, '$1')
        .replaceAll('\\|', '|'),
    );

export function readFormCases(): FormCase[] {
  const page = readFileSync(new URL('../../../../docs/forms.md', import.meta.url), 'utf8');
  const tables = page.match(/(?:^\|.*\|\n)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [head = '', , ...rows] = table.trimEnd().split('\n');
    const columns = cellsOf(head);
    return rows.map((row): FormCase => {
      const cells = cellsOf(row);
      const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
      const encoding = cell('Its `encoding`');
      const result = cell('Value or problem');
      const property: unknown = parse(cell('Property `a`'));
      return {
        title: cells.filter((text) => text !== '').join(' | '),
        schema: (columns[0] === 'Form'
          ? parse(cell('Form'))
          : { type: 'object', properties: { a: property }, additionalProperties: false }) as object,
        encoding: encoding === '' ? undefined : { a: parse(encoding) as object },
        body: cell('Body'),
        ...(result.startsWith('body') ? { problem: result } : { value: valueOf(result) }),
      };
    });
  });
}

/** JSON, in which `5n` is a `bigint`. */
const valueOf = (text: string): unknown =>
  JSON.parse(text.replace(/(\d+)n\b/g, '"$1n"'), (_, value: unknown) =>
    typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  );
