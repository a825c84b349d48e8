/** What the template of a callback's URL asks for: for tools that check and describe it. */
import { pointerKeys } from '../document/openapi.ts';
import { EMBEDDED, parseExpression } from './runtime-expression.ts';

const expressionsOf = (template: string): string[] =>
  template.startsWith('$') ? [template] : [...template.matchAll(EMBEDDED)].map(([, expression = '']) => expression);

/** The expressions of a template that are not supported: `$response`, `$url`, `$method`, `$statusCode`, and what is none. */
export const unsupportedExpressions = (template: string): string[] =>
  expressionsOf(template).filter((expression) => parseExpression(expression) === undefined);

interface NamedInRequest {
  readonly source: 'path' | 'query' | 'header' | 'body';
  readonly name: string;
}

/** What the supported expressions of a template name. The whole body has no name, and is left out. */
export function callbackExpressions(template: string): NamedInRequest[] {
  return expressionsOf(template).flatMap((expression): NamedInRequest[] => {
    const [, source, name = ''] = /^\$request\.(path|query|header)\.(.+)$/.exec(expression) ?? [];
    if (source !== undefined) return [{ source: source as NamedInRequest['source'], name }];
    const [first] = expression.startsWith('$request.body#') ? pointerKeys(expression.slice('$request.body'.length)) : [];
    return first === undefined ? [] : [{ source: 'body', name: first }];
  });
}
