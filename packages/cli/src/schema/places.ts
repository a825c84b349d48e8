/** Where a column or a constraint is said: in the committed dump, and in the migration that made it. */

export interface TextFile {
  readonly file: string;
  readonly text: string;
}

export interface DatabaseFiles {
  /** src/db/schema.sql */
  readonly dump: TextFile;
  readonly migrations: readonly TextFile[];
}

/** `src/db/schema.sql:119 (src/db/migrations/0001_first.ts:44)`; as near as it can be told. */
export function databasePlace({ dump, migrations }: DatabaseFiles, table: string, name?: string, column = name): string {
  const block = (text: string) => text.startsWith(`TABLE ${table} (`);
  const inDump = lineIn(dump.text, block, (text) => name === undefined || new RegExp(`^  (?:CONSTRAINT )?${name} `).test(text));
  const opens = (text: string) => new RegExp(`(?:CREATE|ALTER) TABLE (?:\\w+ )*${table}\\b`).test(text);
  // A constraint without a name of its own stands with its column. The last migration has the last word.
  const said = [name, column].flatMap((word) =>
    migrations.flatMap(({ file, text }) => {
      const line = lineIn(text, opens, (candidate) => word === undefined || new RegExp(`\\b${word}\\b`).test(candidate));
      return line === undefined ? [] : [`${file}:${line}`];
    }),
  );
  const exact = said.length > 0 ? ` (${said.at(name === undefined ? 0 : -1) ?? ''})` : '';
  return `${dump.file}:${inDump ?? 1}${exact}`;
}

/** The first line that is meant in the statement that `opens` begins; statements end with `;`. */
function lineIn(text: string, opens: (line: string) => boolean, isMeant: (line: string) => boolean): number | undefined {
  let inside = false;
  for (const [i, line] of text.split('\n').entries()) {
    inside ||= opens(line);
    if (inside && isMeant(line) && !line.trimStart().startsWith('--')) return i + 1;
    if (/;\s*$/.test(line)) inside = false;
  }
  return undefined;
}
