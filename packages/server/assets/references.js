/* What references of a contract refer to. Plain JavaScript of a browser. */

/** What a reference of the contract refers to. */
export function resolve(spec, value) {
  let found = value;
  while (found?.$ref?.startsWith('#/'))
    found = found.$ref
      .slice(2)
      .split('/')
      .reduce((part, key) => part?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')], spec);
  return found;
}
