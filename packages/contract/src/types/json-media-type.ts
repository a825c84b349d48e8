/** Which media types hold JSON, for types. */

/** A media type whose bodies are JSON values, as `bodyKind` says; ranges are served as JSON. */
export type IsJson<T> = T extends `${string}/json${string}` | `${string}+json${string}` | '*/*' | 'application/*' ? true : false;
