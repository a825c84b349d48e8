/** Checks of keywords that apply schemas to the same value. What branches report is collected only if no branch accepts the value. */
import { acceptsAll, type CreateCheck, type Keyword } from './keyword.ts';
import type { Check } from './problem-run.ts';

type Schemas = readonly unknown[];

const buildAll = ({ value, build }: Keyword<Schemas>): Check[] => value.map((schema, i) => build(schema, i));

export const anyOf: CreateCheck = (keyword: Keyword<Schemas>) => {
  const parts = buildAll(keyword);
  return (value, at, run) => {
    if (parts.some((part) => run.passes(part, value, at))) return true;
    if (run.isQuiet) return false;
    for (const part of parts) part(value, at, run);
    return run.report(keyword, at, 'must match a schema in anyOf');
  };
};

export const oneOf: CreateCheck = (keyword: Keyword<Schemas>) => {
  const parts = buildAll(keyword);
  return (value, at, run) => {
    const passing: number[] = [];
    const failing: Check[] = [];
    for (let i = 0; i < parts.length && passing.length < 2; i++) {
      const part = parts[i] as Check;
      if (run.passes(part, value, at)) passing.push(i);
      else failing.push(part);
    }
    if (passing.length === 1) return true;
    if (run.isQuiet) return false;
    for (const part of failing) part(value, at, run);
    const passingSchemas = passing.length === 0 ? null : passing;
    return run.report(keyword, at, 'must match exactly one schema in oneOf', { passingSchemas });
  };
};

export const not: CreateCheck = (keyword: Keyword) => {
  const part = keyword.build(keyword.value);
  return (value, at, run) => !run.passes(part, value, at) || run.report(keyword, at, 'must NOT be valid', {}, keyword.value);
};

export const condition: CreateCheck = (keyword: Keyword) => {
  const { schema, schemaPath, value: given, build, builder } = keyword;
  const { then, else: otherwise } = schema;
  if (acceptsAll(then) && acceptsAll(otherwise)) return undefined;
  const test = build(given);
  const clauseAt = (name: 'then' | 'else', clause: unknown) => builder.build(clause ?? true, schemaPath.slice(0, -'if'.length) + name);
  const clauses = { then: clauseAt('then', then), else: clauseAt('else', otherwise) };
  return (value, at, run) => {
    const failingKeyword = run.passes(test, value, at) ? 'then' : 'else';
    return clauses[failingKeyword](value, at, run) || run.report(keyword, at, `must match "${failingKeyword}" schema`, { failingKeyword });
  };
};
