/** Draws the share of each verdict, a bar for each server. */
import { VERDICTS, type Counts } from '../src/summary.ts';

export interface Bar {
  readonly label: string;
  readonly counts: Counts;
  /** Cases that do not apply to it, or of documents that it does not serve. */
  readonly absent: number;
}

const WIDTH = 860;
const LABELS = 250;
const FIGURES = 50;
const ROW = 26;
const BAR = 16;
const TOP = 34;

/** From dark to light in a way that differs for everybody (Okabe and Ito). */
const COLORS: Readonly<Record<keyof Counts | 'absent', string>> = {
  kept: '#009e73',
  refused: '#56b4e9',
  'let through': '#d55e00',
  altered: '#cc79a7',
  outside: '#e69f00',
  crashed: '#000000',
  absent: '#bbbbbb',
};
const NAMES = { ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, verdict])), absent: 'not served' } as Record<
  keyof typeof COLORS,
  string
>;
const PARTS = [...VERDICTS, 'absent'] as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @returns an SVG that is read on light and on dark pages. */
export function drawChart(bars: readonly Bar[]): string {
  const height = TOP + bars.length * ROW + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="12">
<title id="t">How many cases each server kept, and how it failed the others</title>
<style>text{fill:#1f2328}.c{fill:${COLORS.crashed}}@media (prefers-color-scheme:dark){text{fill:#e6edf3}.c{fill:#ffffff}}</style>
${legend()}
${bars.map(drawBar).join('\n')}
</svg>
`;
}

function legend(): string {
  let x = LABELS;
  return PARTS.map((part) => {
    const at = x;
    x += 24 + NAMES[part].length * 7;
    return `<rect x="${at}" y="8" width="10" height="10" ${fill(part)}/><text x="${at + 14}" y="17">${NAMES[part]}</text>`;
  }).join('');
}

function drawBar({ label, counts, absent }: Bar, row: number): string {
  const y = TOP + row * ROW;
  const values = { ...counts, absent };
  const total = PARTS.reduce((sum, part) => sum + values[part], 0);
  const scale = (WIDTH - LABELS - FIGURES) / total;
  let x = LABELS;
  const parts = PARTS.filter((part) => values[part] > 0).map((part) => {
    const width = values[part] * scale;
    const drawn = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" ${fill(part)}><title>${values[part]} ${NAMES[part]}</title></rect>`;
    x += width;
    return drawn;
  });
  const share = `<text x="${WIDTH - FIGURES + 6}" y="${y + 12}">${((counts.kept / total) * 100).toFixed(1)} %</text>`;
  return `<text x="${LABELS - 8}" y="${y + 12}" text-anchor="end">${escaped(label)}</text>${parts.join('')}${share}`;
}

const fill = (part: keyof typeof COLORS): string => (part === 'crashed' ? 'class="c"' : `fill="${COLORS[part]}"`);
