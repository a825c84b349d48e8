/** A picture of the pipeline, made from the list of steps in create-service.ts, so that it shows those that there are. */
import { readFileSync } from 'node:fs';
import { escape, THEMES, type Theme } from '../requests/report/chart.ts';

const SOURCE = new URL('../../packages/server/src/create-service.ts', import.meta.url);

/** What each step does, and the statuses with which it ends a request. A step that is not here is drawn with its name alone. */
const NOTES: Readonly<Record<string, readonly [text: string, statuses: string]>> = {
  operationHeaders: ['headers of every response of the operation', ''],
  requireReady: ['the database is there, of this schema', '503'],
  admit: ['not more than can be done in time', '503'],
  authenticate: ['credentials → caller', '401 429'],
  acquireSlot: ['accounts take turns', '503'],
  limit: ['windows of the plan, exact on all servers', '429'],
  deprecation: ['deprecation, sunset, stability', '410'],
  parseBody: ['only now: JSON, forms, text, bytes', '408 413 415'],
  validateRequest: ['every problem, with its location', '400'],
  reserveStream: ['of items: so many in all, and of one caller', '503'],
  idempotency: ['once, in one transaction with the handler', '400 409'],
  callHandler: ['your code: (input, reply, context)', ''],
  sendResponse: ['validated, stripped of what is undeclared, sent', '500'],
};

/** @returns the names of the steps of an operation, in order. @throws Error if their list is not found. */
export function readSteps(source: string): string[] {
  const list = / {2}#stepsOf\([^]*?return listed\(\[\n([^]*?)\n {4}\]\)/.exec(source)?.[1];
  if (list === undefined) throw new Error('create-service.ts has no list `#stepsOf`: adapt bench/pictures/pipeline.ts');
  // The step that has the handler in it calls it.
  return list.split('\n').flatMap((line) => {
    const name = /^ {6}(?:(?:this\.#)?\w+\.)?(\w+)\b/.exec(line)?.[1];
    return name === undefined ? [] : line.includes('callHandler(') && name !== 'callHandler' ? [name, 'callHandler'] : [name];
  });
}

const WIDTH = 880;
const ROW = 38;
const BOX = { x: 60, width: 220, height: 28 };
const TOP = 84;

export function drawPipeline(theme: Theme, steps = readSteps(readFileSync(SOURCE, 'utf8'))): string {
  const color = THEMES[theme];
  const rows = [
    ['request', 'id, clock, deadline, trace', '', true],
    ['match', 'operation by method and path', '404 405', false],
    ...steps.map((name) => [words(name), ...(NOTES[name] ?? ['', '']), name === 'callHandler'] as const),
    ['response', '', '', true],
  ] as const;
  const height = TOP + rows.length * ROW + 24;
  const center = BOX.x + BOX.width / 2;
  const last = TOP + (rows.length - 1) * ROW + BOX.height / 2;
  const codes = 650;
  const rail = codes + 100;
  const parts = rows.flatMap(([name, text, statuses, isOuter], i) => {
    const y = TOP + i * ROW;
    const middle = y + BOX.height / 2;
    const isHandler = name === 'call handler';
    return [
      i === 0 ? '' : `<path d="M${center} ${y - ROW + BOX.height}V${y - 3}" stroke="${color.muted}" marker-end="url(#head)"/>`,
      `<rect x="${BOX.x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="${isOuter && !isHandler ? 14 : 4}" fill="${isHandler ? color.own : color.background}" stroke="${isHandler ? color.own : color.bar}"/>`,
      label(center, middle + 5, name, isHandler ? color.background : color.text, 'text-anchor="middle" font-weight="600"'),
      label(BOX.x + BOX.width + 18, middle + 5, text, color.muted),
      statuses === '' ? '' : `<path d="M${codes - 24} ${middle}H${rail}" stroke="${color.bar}" stroke-dasharray="3 3"/>`,
      statuses === ''
        ? ''
        : `<rect x="${codes - 6}" y="${y + 3}" width="${statuses.length * 8 + 12}" height="22" rx="4" fill="${color.background}"/>`,
      statuses === '' ? '' : label(codes, middle + 5, statuses, color.own, 'font-weight="600"'),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13">
<title>The pipeline: the steps of one request, in order, and the statuses with which each may end it</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="${color.muted}"/></marker></defs>
<rect width="100%" height="100%" fill="${color.background}"/>
${label(20, 32, 'One request, one pipeline', color.text, 'font-size="17" font-weight="600"')}
${label(20, 54, 'Composed once for each operation, of the steps that it needs; whatever ends a request early is answered in one place', color.muted)}
<path d="M${rail} ${TOP + ROW + BOX.height / 2}V${last}H${BOX.x + BOX.width + 4}" fill="none" stroke="${color.muted}" marker-end="url(#head)"/>
${label(rail + 14, (TOP + last) / 2 + 5, 'error response', color.text, 'font-weight="600"')}
${parts.filter((part) => part !== '').join('\n')}
</svg>
`;
}

/** `validateRequest` -> `validate request` */
const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const label = (x: number, y: number, content: string, fill: string, attributes = '') =>
  `<text x="${x}" y="${y}" fill="${fill}"${attributes === '' ? '' : ` ${attributes}`}>${escape(content)}</text>`;
