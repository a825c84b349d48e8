/** What a scenario prints: tables of Markdown below a line that says when, of what and where; `--save` keeps it in bench/results. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

export const resultFile = (name: string): string => fileURLToPath(new URL(`../results/${name}`, import.meta.url));

/** A table of Markdown. @param texts the number of columns with texts; those after them have numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i < texts ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** With a digit after the point, below 100. */
export const formatNumber = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0));

/** @param node the version that ran what was measured, such as `v20.20.2`. */
export function describeRun(node: string): string {
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processors'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const load = `load average ${(loadavg()[1] ?? NaN).toFixed(1)} in the five minutes before the end`;
  return `Node ${node.replace(/^v/, '')}, commit ${commit()}, ${new Date().toISOString().slice(0, 10)}, ${processor}, ${process.platform} ${process.arch}, ${load}.`;
}

/** Of this server. */
const MEASURED = ['src', 'packages', 'generated', 'spec', 'package-lock.json'];

/** The last commit that changed what is measured; says so if there are changes beside it. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', ...MEASURED) !== '';
    return `${git('log', '-1', '--format=%h', '--abbrev=12', '--', ...MEASURED)}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

/** Prints the figures of a scenario. @param save whether they replace bench/results/NAME.md. */
export async function publish(name: string, parts: readonly string[], save: boolean): Promise<void> {
  const file = resultFile(`${name}.md`);
  const page = `# ${name.replace(/^./, (letter) => letter.toUpperCase())}\n\n${parts.join('\n\n')}\n`;
  const text = await formatted(file, page);
  console.log(text);
  if (save) writeFileSync(file, text);
}

/** In the format that the lint gate asks for. */
export const formatted = async (file: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(file)), filepath: file });
