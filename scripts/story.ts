/**
 * `npm run ts -- scripts/story.ts` writes the story on the first screen of README.md: it generates the contract of site/story, compiles the handler that
 * breaks it, and runs the server and the client. `npm run ts -- scripts/story.ts --check` fails if README.md is not what they print today.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = join(ROOT, 'README.md');
/** A copy, because generated files are beside the sources. */
const FOLDER = join(ROOT, '.cache/story');
const STORY = /(?<=<!-- prettier-ignore-start -->\n\n)[^]*(?=\n\n<!-- prettier-ignore-end -->)/;
const TYPESCRIPT = ['--conditions=@specwright/source', '--import', 'tsx'];

const node = (...args: readonly string[]): string => execFileSync(process.execPath, args, { cwd: FOLDER, encoding: 'utf8' });
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** @returns the four panes, in Markdown. @throws Error if a program says something else: the handler compiles, or the response is sent. */
export async function tellStory(): Promise<string> {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync(join(ROOT, 'site/story'), FOLDER, { recursive: true });
  for (const command of ['client', 'generate']) node(join(ROOT, 'packages/specwright/bin/specwright.mjs'), command);
  const { answer, printed } = await runServer();
  return [
    pane('1. openapi.yaml', 'the contract', 'yaml', shownOf(read('openapi.yaml'))),
    pane('2. pets.ts', 'does not compile', 'ts', shownOf(withCompilerError('pets.ts'))),
    pane('3. A row that is older than the contract', 'is not sent', 'console', answer),
    pane('4. The client', 'knows every status', 'ts', `${shownOf(withTypes('client.ts'))}\n// prints: ${printed}`),
  ].join('\n\n');
}

const pane = (title: string, result: string, language: string, text: string): string =>
  `**${title}**: ${result}\n\n<!-- not run: scripts/story.ts has run it -->\n\n\`\`\`${language}\n${text}\n\`\`\``;

/** The lines between `shown` and `end`, without their indentation. */
function shownOf(source: string): string {
  const parts = [...source.matchAll(/^( *)(?:#|\/\/) shown\n([^]*?)^ *(?:#|\/\/) end$/gm)];
  return parts.map(([, indent = '', lines = '']) => lines.trimEnd().replaceAll(new RegExp(`^${indent}`, 'gm'), '')).join('\n');
}

/** The source, with the compiler's error below the line that it is of. */
function withCompilerError(file: string): string {
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript-native/bin/tsc'), '-p', '.', '--pretty'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  // Without the colours of a terminal.
  const output = stdout.replaceAll(/\u001B\[\d*m/g, '');
  const [error = '', place, line = '', column = '', message = ''] = /^(\S+):(\d+):(\d+) - (error .*)$/m.exec(output) ?? [];
  const [wrong = ''] = /(?<=^ +)~+$/m.exec(output) ?? [];
  if (place !== file || wrong === '') throw new Error(`${file} should not compile: ${error}\n${output}`);
  const lines = read(file).split('\n');
  lines.splice(Number(line), 0, `//${wrong.padStart(Number(column) - 3 + wrong.length)}`, `// ${message}`);
  return lines.join('\n');
}

/** The source, with the type of the last expression of each line that ends with `//?`. */
function withTypes(file: string): string {
  const program = ts.createProgram([join(FOLDER, file)], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(FOLDER, file)) as ts.SourceFile;
  const types = new Map<number, string>();
  const visit = (part: ts.Node): void => {
    ts.forEachChild(part, visit);
    const { line } = source.getLineAndCharacterOfPosition(part.end);
    if (ts.isPropertyAccessExpression(part)) types.set(line, checker.typeToString(checker.getTypeAtLocation(part)));
  };
  visit(source);
  const lines = source.text.split('\n');
  return lines.map((text, line) => text.replace(/\/\/\?$/, () => `// ${types.get(line) ?? ''}`)).join('\n');
}

/** @returns what curl shows of the server, with its log, and what the client prints. */
async function runServer(): Promise<{ answer: string; printed: string }> {
  const server = spawn(process.execPath, [...TYPESCRIPT, 'server.ts'], { cwd: FOLDER, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(server, 'close');
  let output = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  let response: string;
  let printed: string;
  try {
    await once(server.stdout, 'data');
    const url = `http://localhost:${Number.parseInt(output, 10)}`;
    response = execFileSync('curl', ['-is', `${url}/pets/7`], { encoding: 'utf8' });
    printed = node(...TYPESCRIPT, 'client.ts', url).trimEnd();
  } finally {
    server.kill();
    await closed;
  }
  const [, problem] = /"message":"(the 200 response [^"]+)"/.exec(output) ?? [];
  if (problem === undefined) throw new Error(`the response should not be sent: ${response}\n${output}`);
  const [, status = '', body = ''] = /^(.*)\r\n[^]*\r\n\r\n([^]*)$/.exec(response) ?? [];
  return { answer: `$ curl -i localhost:3000/pets/7\n${status}\n...\n${body}\n# The log: ${problem.replace(': ', ':\n# ')}`, printed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const readme = readFileSync(README, 'utf8');
  const story = await tellStory();
  if (!process.argv.includes('--check'))
    writeFileSync(
      README,
      readme.replace(STORY, () => story),
    );
  else if (!readme.includes(story)) {
    console.error('the story of README.md is not current: npm run ts -- scripts/story.ts');
    process.exitCode = 1;
  }
}
