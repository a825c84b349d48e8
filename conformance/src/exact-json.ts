/** Compares JSON by value: numbers by their exact decimal value, which `JSON.parse` loses beyond 2^53 and after 17 digits. */

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;
const NUMBER = '\u0000number:';

/** The value of a JSON text, in which a number is a text with its exact value. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  JSON.parse(text);
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : JSON.stringify(NUMBER + exactly(token)))));
}

/** Whether two values of `parseExactly` are equal; the order of properties does not count. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key as never], right[key as never]))
  );
}

/** `1`, `1.0` and `10e-1` are one text: digits without zeros at their ends, and an exponent of ten. */
function exactly(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/u, '');
  const significant = digits.replace(/0+$/u, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
