/** Lists what of a contract is not served as written, on a screen and in a file of the new project: a line per operation and fix. */
import type { UnsupportedFeature } from '@specwright/server/document';
import { oneLine } from '../stubs/comments.ts';

/** How many lines a screen can take. */
const MAX_LINES = 100;

/** What an operation has several times, as the same media type under ten statuses, is said once. */
function grouped(notes: readonly UnsupportedFeature[]): { where: string; line: number; text: string }[] {
  const groups = new Map<string, { first: UnsupportedFeature; whats: Set<string> }>();
  for (const note of notes) {
    const { operationId, feature, behavior } = note;
    const key = JSON.stringify(operationId === undefined ? [feature, behavior] : [operationId, behavior]);
    const group = groups.get(key) ?? { first: note, whats: new Set() };
    groups.set(key, group);
    group.whats.add(feature);
  }
  return [...groups.values()].map(({ first: { operationId, line, behavior }, whats }) => ({
    where: operationId === undefined ? 'in a component' : oneLine(operationId),
    line,
    text: oneLine(`${[...whats].join(', ')}; ${behavior}`),
  }));
}

export function notesOnScreen(notes: readonly UnsupportedFeature[]): string[] {
  if (notes.length === 0) return [];
  const rows = grouped(notes);
  return [
    'Not served as written:',
    ...rows.slice(0, MAX_LINES).map(({ where, line, text }) => `  ${where} (line ${line}): ${text}`),
    ...(rows.length > MAX_LINES ? [`  and ${rows.length - MAX_LINES} more`] : []),
    'All of it is in docs/not-served.md of the project.',
  ];
}

/** @returns Markdown. The lines are those of the project's spec. */
export function notesInFile(notes: readonly UnsupportedFeature[]): string {
  const rows = grouped(notes).map(({ where, line, text }) => `- ${where} (line ${line}): ${text}.`.replace(/[<>*_]/g, '\\$&'));
  const found =
    rows.length > 0 ? 'Everything else of these operations is served.' : 'Nothing: everything that the contract says is served.';
  return `${['# What is not served as written', `Found when this project was made. ${found}`, ...(rows.length > 0 ? [rows.join('\n')] : [])].join('\n\n')}\n`;
}
