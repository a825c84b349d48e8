/** What a statement does, in few words: its operation and its table, never a value. For the names of spans. */

export interface StatementSummary {
  /** `SELECT`, `INSERT`, `BEGIN`, ... */
  readonly operation: string;
  /** The first table that it reads or writes. */
  readonly table?: string;
}

const OPERATION = /^[\s(]*([a-z]+)/i;
const IN_CTE = /\b(insert|update|delete)\b(?!\s+(?:set|of|skip|nowait))/i;
const NAME = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`;
// After `from` a name with a bracket behind it is a function's: extract(epoch from now()).
const TABLE = new RegExp(
  String.raw`\b(from|join)\s+(?:only\s+)?${NAME}(?![\w".]*\s*\()|(?:\binto|^[\s(]*update|\(\s*update)\s+(?:only\s+)?${NAME}`,
  'gi',
);
const LITERAL = /'(?:[^']|'')*'/g;
const SUBQUERY = /^\s*(?:select|with|delete|\()/i;
/** Services have some hundred statements; texts that are made at run time must not be kept without end. */
const MAX_CACHED = 1000;

const cache = new Map<string, StatementSummary>();

/** @param text of the statement, with placeholders for its values. */
export function summarizeStatement(text: string): StatementSummary {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const first = OPERATION.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const operation = first === 'WITH' ? (IN_CTE.exec(text)?.[1]?.toUpperCase() ?? 'SELECT') : first;
  const table = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].includes(operation) ? findTable(text.replaceAll(LITERAL, "''")) : undefined;
  const summary = { operation, ...(table === undefined ? {} : { table }) };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, summary);
  return summary;
}

function findTable(text: string): string | undefined {
  for (const { 1: keyword, 2: read, 3: written, index } of text.matchAll(TABLE)) {
    if (keyword?.toLowerCase() === 'from' && !isFromClause(text.slice(0, index))) continue;
    return (read ?? written)?.replaceAll('"', '');
  }
  return undefined;
}

/** Whether a `from` is a query's: not that of extract(epoch from x), substring(x from 2) or `is distinct from x`. @param before it. */
function isFromClause(before: string): boolean {
  if (/\bdistinct\s+$/i.test(before)) return false;
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i--) {
    if (before[i] === ')') depth++;
    else if (before[i] === '(' && depth-- === 0) return SUBQUERY.test(before.slice(i + 1));
  }
  return true;
}
