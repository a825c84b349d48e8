/** Draws a recording as an animated SVG: CSS alone, so that it moves where no script is allowed, and stands still where motion is not wanted. */
import { escape, THEMES, type Theme } from '../requests/report/chart.ts';
import type { RecordedEvent } from './record-loop.ts';

const FONT_SIZE = 13;
const CHARACTER = 7.83;
const LINE = 19;
const COLUMNS = 110;
const ROWS = 24;
const BAR = 40;
const MARGIN = 16;
const WIDTH = Math.ceil(COLUMNS * CHARACTER) + 2 * MARGIN;
const HEIGHT = BAR + ROWS * LINE + MARGIN;
/** What takes longer, such as the first start, is shortened to this, in s: nobody reads a picture that stands still. */
const MAX_PAUSE = 3;
/** How long the end is shown before it begins again, in s. */
const END = 4;

/** ANSI colours (ECMA-48, SGR) by theme. */
const COLORS: Readonly<Record<Theme, Readonly<Record<string, string>>>> = {
  light: { 31: '#cf222e', 32: '#1a7f37', 33: '#9a6700', 34: '#0969da', 36: '#1b7c83', 90: '#59636e' },
  dark: { 31: '#ff7b72', 32: '#3fb950', 33: '#d29922', 34: '#58a6ff', 36: '#39c5cf', 90: '#9198a1' },
};

interface Line {
  /** When it is shown, in s. */
  readonly at: number;
  readonly spans: readonly { readonly text: string; readonly color: string | undefined }[];
}

export function drawRecording(events: readonly RecordedEvent[], theme: Theme): string {
  const color = THEMES[theme];
  const lines = linesOf(shorten(events), COLORS[theme]);
  const total = (lines.at(-1)?.at ?? 0) + END;
  const percent = (at: number) => `${((100 * at) / total).toFixed(2)}%`;
  const moments = [...new Set(lines.map(({ at }) => at))];
  const shown = moments.map(
    (at, i) => `@keyframes s${i}{0%{opacity:0}${percent(at)}{opacity:1}}.s${i}{animation:s${i} ${total.toFixed(1)}s step-end infinite}`,
  );
  const scrollAt = (count: number) => -Math.max(0, count - ROWS) * LINE;
  const steps = moments.map((at) => `${percent(at)}{transform:translateY(${scrollAt(lines.filter((line) => line.at <= at).length)}px)}`);
  const texts = lines.map(({ at, spans }, i) => {
    const content = spans
      .map(({ text, color: fill }) => (fill === undefined ? escape(text) : `<tspan fill="${fill}">${escape(text)}</tspan>`))
      .join('');
    return `<text class="s${moments.indexOf(at)}" y="${(i + 1) * LINE}">${content}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">
<title>A recording of npm run dev: edits of the spec and of a handler, and what the loop says of each</title>
<style>text{fill:${color.text};white-space:pre}.r{animation:r ${total.toFixed(1)}s step-end infinite;transform:translateY(${scrollAt(lines.length)}px)}@keyframes r{0%{transform:translateY(0)}${steps.join('')}}${shown.join('')}@media(prefers-reduced-motion:reduce){*{animation:none!important}}</style>
<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${color.background}" stroke="${color.bar}"/>
<text x="${WIDTH / 2}" y="25" text-anchor="middle" style="fill:${color.muted}">npm run dev</text>
<path d="M0 ${BAR - 4}H${WIDTH}" stroke="${color.bar}"/>
<svg x="${MARGIN}" y="${BAR}" width="${WIDTH - 2 * MARGIN}" height="${ROWS * LINE + 6}"><g class="r">
${texts.join('\n')}
</g></svg>
</svg>
`;
}

/** The same events without long pauses. */
function shorten(events: readonly RecordedEvent[]): RecordedEvent[] {
  let last = events[0]?.at ?? 0;
  let time = 0;
  return events.map((event) => {
    time += Math.min(event.at - last, MAX_PAUSE);
    last = event.at;
    return { ...event, at: Math.round(time * 10) / 10 };
  });
}

/** The lines of the terminal; an edit is three more, in the colours of a difference. */
function linesOf(events: readonly RecordedEvent[], colors: Readonly<Record<string, string>>): Line[] {
  const lines: Line[] = [];
  let rest = '';
  let color: string | undefined;
  for (const event of events) {
    if (event.kind === 'edit') {
      const { at, file, removed, added } = event;
      const of = (text: string, code: string) => ({ at, spans: [{ text, color: colors[code] }] });
      lines.push({ at, spans: [] }, of(`edit      ${file}`, '34'), of(`          - ${removed}`, '31'), of(`          + ${added}`, '32'));
      continue;
    }
    const parts = (rest + event.text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const spans: { text: string; color: string | undefined }[] = [];
      for (const piece of part.split(/(\u001b\[[\d;]*m)/)) {
        const code = /^\u001b\[([\d;]*)m$/.exec(piece)?.[1];
        if (code !== undefined) color = colors[code];
        else if (piece !== '') spans.push({ text: piece, color });
      }
      for (const wrapped of wrap(spans)) lines.push({ at: event.at, spans: wrapped });
    }
  }
  return lines;
}

/** A line of the terminal has no more than its columns. */
function wrap(spans: Line['spans']): Line['spans'][] {
  const rows: { text: string; color: string | undefined }[][] = [[]];
  let left = COLUMNS;
  for (const { text, color } of spans) {
    for (let rest = text; rest !== '';) {
      if (left === 0) {
        rows.push([]);
        left = COLUMNS;
      }
      rows.at(-1)?.push({ text: rest.slice(0, left), color });
      const used = Math.min(left, rest.length);
      rest = rest.slice(used);
      left -= used;
    }
  }
  return rows;
}
