/** The help of a group of commands: usage, commands, options, examples and exit codes. */

export interface CommandHelp {
  /** Its arguments: `ACCOUNT --plan PLAN`. */
  readonly synopsis: string;
  /** What it does, in one line. */
  readonly summary: string;
}

export interface GroupHelp {
  /** Of the npm script that runs it. */
  readonly name: string;
  readonly summary: string;
  readonly commands: Readonly<Record<string, CommandHelp>>;
  /** What the words in capitals are. */
  readonly words: string;
  /** Arguments that are most used. */
  readonly examples: readonly string[];
}

export const usageOf = (group: string): string => `usage: npm run -s ${group} -- COMMAND [--json]`;

export function formatHelp({ name, summary, commands, words, examples }: GroupHelp): string {
  const rows = Object.entries(commands).map(([command, { synopsis, summary }]) => [`${command} ${synopsis}`.trimEnd(), summary] as const);
  return [
    `${name}: ${summary}`,
    usageOf(name),
    `commands:\n${formatRows(rows)}`,
    `${words}\nThe database is that of DATABASE_URL, or the embedded one. \`-s\` keeps npm's own lines out of the output.`,
    `options:\n${formatRows([
      ['--json', 'prints JSON'],
      ['--help', 'shows this'],
    ])}`,
    `examples:\n${examples.map((example) => `  npm run -s ${name} -- ${example}`).join('\n')}`,
    `exit codes:\n${formatRows([
      ['0', 'success'],
      ['1', 'the database cannot be used, or refuses the change'],
      ['2', 'the arguments cannot be used'],
    ])}`,
  ].join('\n\n');
}

function formatRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}
