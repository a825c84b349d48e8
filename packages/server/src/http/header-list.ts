/** The header fields of a response as `writeHead` takes them without copying: names and values in turn. */

export type HeaderList = string[];

export function headerList(fields: Readonly<Record<string, string>>): HeaderList {
  const list: HeaderList = [];
  for (const name in fields) list.push(name, fields[name] as string);
  return list;
}

/** The index of a field's value; -1 if there is none. @param name spelled as in the list. */
export function indexOfHeader(list: Readonly<HeaderList>, name: string): number {
  for (let i = 0; i < list.length; i += 2) if (list[i] === name) return i + 1;
  return -1;
}

/** Sets a field, in the place of one of this name. */
export function setHeader(list: HeaderList, name: string, value: string): void {
  const index = indexOfHeader(list, name);
  if (index === -1) list.push(name, value);
  else list[index] = value;
}

/** Adds to a field that is a list (RFC 9110, section 5.3). */
export function appendHeader(list: HeaderList, name: string, value: string): void {
  const index = indexOfHeader(list, name);
  if (index === -1) list.push(name, value);
  else list[index] = `${list[index]}, ${value}`;
}

/** Each name once, as it is first written: they are the same in any case (RFC 9110, section 5.1). */
export function distinctNames(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) if (!byKey.has(name.toLowerCase())) byKey.set(name.toLowerCase(), name);
  return [...byKey.values()];
}

/** A copy with further fields, which take the place of those of their names. */
export function withHeaders(list: Readonly<HeaderList>, fields: Readonly<Record<string, string>>): HeaderList {
  const copy = list.slice();
  for (const name in fields) setHeader(copy, name, fields[name] as string);
  return copy;
}

/** A copy whose `Vary` names a field of requests too (RFC 9110, section 12.5.5). */
export function addToVary(list: Readonly<HeaderList>, field: string): HeaderList {
  const copy = list.slice();
  appendHeader(copy, 'Vary', field);
  return copy;
}
