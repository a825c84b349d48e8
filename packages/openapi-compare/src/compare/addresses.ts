/** The addresses of servers: which are listed, and whether a template has them. */
import { isObject } from '@specwright/contract/document';

/** The servers of a document that names none (OpenAPI 3.0.3, section 4.7.1.1). */
export const ROOT: readonly object[] = [{ url: '/' }];

const MAX_ADDRESSES = 500;

/** The addresses of servers, with each of the values that a variable lists; a variable without a list stays as it is written. */
export const serverUrls = (servers: unknown): string[] => {
  const urls = (Array.isArray(servers) ? servers : []).flatMap((server) => (isObject(server) ? addressesOf(server) : []));
  return [...new Set(urls)].sort();
};

function addressesOf({ url, variables }: Readonly<Record<string, unknown>>): string[] {
  const listed = Object.entries(isObject(variables) ? variables : {});
  return listed.reduce<string[]>(
    (urls, [name, variable]) => {
      const values: unknown = isObject(variable) ? variable['enum'] : undefined;
      if (!Array.isArray(values) || urls.length * values.length > MAX_ADDRESSES) return urls;
      return urls.flatMap((one) => values.map((value) => one.replaceAll(`{${name}}`, String(value))));
    },
    [String(url)],
  );
}

/** Whether a former address is none of the present ones, and none that a template with variables has. */
export const losesAddress = (before: readonly string[], after: readonly unknown[]): boolean =>
  !before.every((url) => after.some((one) => isAddressOf(url, String(one))));

/** A variable may have any value. A slash at the end makes no other address. */
function isAddressOf(url: string, template: string): boolean {
  const [text, pattern] = [url, template].map((one) => (one === '/' ? '' : one.endsWith('/') ? one.slice(0, -1) : one)) as [string, string];
  const [first = '', ...rest] = pattern.split(/\{[^{}]*\}/);
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const middle = text.slice(first.length, text.length - last.length);
  const end = rest.reduce((from, literal) => (from < 0 ? from : endOf(middle, literal, from)), 0);
  return end >= 0;
}

function endOf(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? -1 : at + part.length;
}
