/** A path in a command that is shown to a person, who copies it to a shell. */
export const quotedPath = (path: string): string => (/^[\w./:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
