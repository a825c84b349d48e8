/** Makes the messages of Redocly about the structure of a document say which part they are about. */

/** Keywords whose content has names as keys. */
const NAMED = [
  'paths',
  'properties',
  'schemas',
  'parameters',
  'responses',
  'headers',
  'requestBodies',
  'securitySchemes',
  'links',
  'examples',
];

/**
 * @param keys of the part, from the root of the document.
 * @returns the message, with the keyword if it says only which type was expected.
 */
export function nameKeyword(message: string, keys: readonly (string | number)[]): string {
  const [parent, key] = [keys.at(-2), keys.at(-1)];
  if (key === undefined) return message;
  const isKeyword = !/^\d+$/.test(String(key)) && !NAMED.includes(String(parent));
  const name = isKeyword || parent === undefined ? key : `${parent}/${key}`;
  return message.replace(/^Expected type (.*) but got/, (_, type: string) => `Expected \`${name}\` to be of type ${type} but got`);
}
