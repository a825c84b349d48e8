/** The report of a comparison in each format that `openapi-compare` prints. */
import { escapeMarkdown } from '@specwright/contract/document';
import { FORMATS, listChange } from './breaking/formats.ts';
import { type ComparedFiles, formatBlocks, formatMarkdown, formatSummary, nameOperations } from './breaking/report.ts';
import type { PublishedChange } from './changelog/changelog.ts';
import { plural } from './compare/words.ts';
import type { FileComparison } from './compare-files.ts';

type Format = (comparison: FileComparison, files: ComparedFiles) => string;

/** Text, JSON and Markdown have all changes; the others, for code review, have those that break clients. */
export const OUTPUT_FORMATS: Readonly<Record<string, Format>> = {
  text(comparison, files) {
    const others = othersOf(comparison);
    const lines = others.map((change) => `  ${change.kind.padEnd('deprecated'.length)}  ${[...placeOf(change), change.what].join(': ')}`);
    const counted = others.length === 0 ? '' : `; ${plural(others.length, 'other change')}`;
    return [
      ...formatBlocks(comparison.breaking, files),
      ...(lines.length > 0 ? ['other changes:', ...lines] : []),
      formatSummary(comparison.breaking, files) + counted,
    ].join('\n');
  },
  json: ({ breaking, changes }, files) =>
    JSON.stringify({ base: files.baseFile, working: files.spec, breaking: listed({ breaking }, files), changes }, null, 2),
  markdown(comparison, files) {
    const lines = othersOf(comparison).map(
      (change) => `- **${change.kind}**: ${[...placeOf(change), change.what].map(escapeMarkdown).join(': ')}`,
    );
    const blocks = [formatMarkdown(comparison.breaking, files), ...(lines.length > 0 ? ['## Other changes', '', ...lines] : [])];
    return blocks.join('\n').trimEnd();
  },
  sarif: (comparison, files) => FORMATS['sarif']?.(listed(comparison, files)) ?? '',
  github: (comparison, files) => FORMATS['github']?.(listed(comparison, files)) ?? '',
};

const listed = ({ breaking }: Pick<FileComparison, 'breaking'>, { spec, baseFile }: ComparedFiles) =>
  breaking.changes.map(listChange(spec, baseFile));

/** The changes that break nobody. */
const othersOf = ({ changes }: FileComparison) => changes.filter(({ breaking }) => breaking === undefined);

/** The schema or the operations, and the part of them. */
const placeOf = ({ schema, operations, where }: PublishedChange): string[] =>
  [[schema ?? nameOperations(operations), where].filter((part) => part !== '').join(', ')].filter((part) => part !== '');
