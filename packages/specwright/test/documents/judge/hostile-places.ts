/** Bodies of requests with a hostile value in one of their properties. */
import { HOSTILE_VALUES } from '../../../../contract/test/support/hostile-values.ts';
import type { DrawnPlace, PythonJudge } from './python-judge.ts';

const MAX_PLACES = 8;
const MAX_PROPERTIES = 3;

const NOT_EXACT = 'no JSON, or a number that is infinite as a double';

/** Numbers as they are written, and texts, as JSON. */
const VALUES = [...new Set(HOSTILE_VALUES.map(({ type, text }) => (type === 'string' ? JSON.stringify(text) : text)))];

/** Whether a text is JSON (RFC 8259) whose numbers are finite: Python reads NaN, and 1e400 as infinity. */
export function isExactJson(text: string): boolean {
  let isFinite = true;
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (value === Infinity || value === -Infinity) isFinite = false;
      return value;
    });
  } catch {
    return false;
  }
  return isFinite;
}

/** @returns the request bodies among the places, of each the values that are made of its first valid object. */
export async function hostilePlaces(judge: PythonJudge, drawn: readonly DrawnPlace[]): Promise<DrawnPlace[]> {
  const places: DrawnPlace[] = [];
  for (const place of drawn.filter(({ status }) => status === '')) {
    if (places.length === MAX_PLACES) break;
    const texts = withHostileValues(place);
    if (texts.length === 0) continue;
    const { path, method, status, type, pointer } = place;
    const where = { path, method, status, type, pointer };
    const exact = texts.filter(isExactJson);
    const errors = await judge.judge(exact.map((text) => ({ ...where, text })));
    const byText = new Map(exact.map((text, i) => [text, errors[i] ?? []]));
    places.push({ ...where, values: texts.map((text) => ({ text, errors: byText.get(text) ?? [NOT_EXACT] })) });
  }
  return places;
}

function withHostileValues({ values }: DrawnPlace): string[] {
  const objects = values.filter(({ errors }) => errors.length === 0).map(({ text }) => JSON.parse(text) as unknown);
  const full = objects.filter(
    (value): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  const [base] = full.sort((a, b) => Object.keys(b).length - Object.keys(a).length);
  if (base === undefined) return [];
  return Object.keys(base)
    .slice(0, MAX_PROPERTIES)
    .flatMap((key) => {
      const others = Object.entries(base).filter(([name]) => name !== key);
      const members = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      return VALUES.map((value) => `{${[...members, `${JSON.stringify(key)}:${value}`].join()}}`);
    });
}
