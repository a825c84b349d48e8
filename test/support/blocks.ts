/** The fenced blocks of a page, each with what the comments directly above it say of it. */
import { readFileSync } from 'node:fs';

export interface Block {
  readonly page: string;
  /** Of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** Without the indentation of the fence. */
  readonly text: string;
  /** The module that the line above names: "Move them to `api.ts`:". */
  readonly file: string | undefined;
  /** `<!-- given: TYPESCRIPT -->`: what the code above would have declared. */
  readonly given: string;
  /** `<!-- within: BEFORE ... AFTER -->`: what stands around a part of an expression. */
  readonly within: readonly [before: string, after: string];
  /** `<!-- not run: REASON -->` */
  readonly notRun: string | undefined;
}

const BLOCK = /((?:^ *<!--(?:(?!-->)[^])*-->\n+)*)^( *)(`{3,})(\w*)[^\n]*\n([^]*?)^\2\3 *$/gm;
const FILE = /`([\w./-]+\.(?:[jt]s|yaml|json))`:$/;

export function readBlocks(page: string): Block[] {
  const source = readFileSync(page, 'utf8');
  return [...source.matchAll(BLOCK)].map((match) => {
    const [, comments = '', indent = '', , language = '', text = ''] = match;
    const above = source.slice(0, match.index).trimEnd();
    const comment = (name: string) => new RegExp(`<!-- ${name}:\\s((?:(?!-->)[^])*?) *-->`).exec(comments)?.[1];
    const [before = '', after = ''] = comment('within')?.split(' ... ') ?? [];
    return {
      page,
      line: source.slice(0, match.index + comments.length).split('\n').length,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      file: FILE.exec(above.slice(above.lastIndexOf('\n') + 1))?.[1],
      given: comment('given') ?? '',
      within: [before, after],
      notRun: comment('not run'),
    };
  });
}

/** Each command of a block of shell, with the variables that are set for it. */
export interface ShellCommand {
  readonly variables: readonly string[];
  readonly words: readonly string[];
}

const WORD = /(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"])+/g;

export function readCommands(block: string): ShellCommand[] {
  const lines = block.replaceAll(/\\\n\s*/g, ' ').split('\n');
  const commands = lines.flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(' && '));
  return commands.flatMap((command) => {
    const words = [...command.matchAll(WORD)].map(([word]) => word.replaceAll(/^(['"])(.*)\1$/g, '$2'));
    const first = words.findIndex((word) => !/^([A-Z_]+=|export$)/.test(word));
    const count = first === -1 ? words.length : first;
    const variables = words.slice(0, count).flatMap((word) => /^([A-Z_]+)=/.exec(word)?.[1] ?? []);
    return words.length === 0 ? [] : [{ variables, words: words.slice(count) }];
  });
}
