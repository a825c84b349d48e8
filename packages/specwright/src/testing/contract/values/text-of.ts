/** A value as a text: in a path, a query, a header or a form. */
export const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join() : typeof value === 'string' ? value : JSON.stringify(value);
