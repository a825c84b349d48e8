/** Bar charts as SVG, in a light and a dark theme. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Drawn in the accent colour. */
  readonly isOwn: boolean;
}

export interface Chart {
  readonly title: string;
  /** What the numbers are, and where they are from. */
  readonly subtitle: string;
  readonly groups: readonly { readonly title: string; readonly bars: readonly Bar[] }[];
}

export const THEMES = {
  light: { background: '#ffffff', text: '#1f2328', muted: '#59636e', bar: '#afb8c1', own: '#0969da' },
  dark: { background: '#0d1117', text: '#f0f6fc', muted: '#9198a1', bar: '#484f58', own: '#4493f8' },
} as const;
export type Theme = keyof typeof THEMES;

const WIDTH = 880;
const LABELS = 330;
const NUMBERS = 70;
const ROW = 26;
const GROUP = 34;
const HEAD = 64;
const MARGIN = 20;

export function drawChart({ title, subtitle, groups }: Chart, theme: Theme): string {
  const color = THEMES[theme];
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const length = (value: number) => (value / most) * (WIDTH - LABELS - NUMBERS - MARGIN);
  const parts: string[] = [];
  let y = HEAD;
  for (const group of groups) {
    y += GROUP;
    parts.push(text(MARGIN, y - 10, group.title, color.text, 'font-weight="600"'));
    for (const { label, value, isOwn } of group.bars) {
      const fill = isOwn ? color.own : color.bar;
      parts.push(
        text(LABELS - 10, y + 15, label, isOwn ? color.own : color.text, 'text-anchor="end"'),
        `<rect x="${LABELS}" y="${y + 2}" width="${length(value).toFixed(1)}" height="${ROW - 8}" rx="2" fill="${fill}"/>`,
        text(LABELS + length(value) + 8, y + 15, formatNumber(value), color.muted),
      );
      y += ROW;
    }
  }
  const height = y + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13">
<title>${escape(title)}</title>
<rect width="100%" height="100%" fill="${color.background}"/>
${text(MARGIN, 30, title, color.text, 'font-size="17" font-weight="600"')}
${text(MARGIN, 52, subtitle, color.muted)}
${parts.join('\n')}
</svg>
`;
}

export const formatNumber = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0));

const text = (x: number, y: number, content: string, fill: string, attributes = '') =>
  `<text x="${x.toFixed(1)}" y="${y}" fill="${fill}"${attributes === '' ? '' : ` ${attributes}`}>${escape(content)}</text>`;

export const escape = (content: string) => content.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
