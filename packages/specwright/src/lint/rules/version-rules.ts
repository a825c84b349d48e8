/** Rules of what a version of OpenAPI no longer knows. */
import { hasNullable, pointerTo, typesOf } from '@specwright/contract/document';
import type { Rule } from './rule.ts';

export const VERSION_RULES: readonly Rule[] = [
  {
    name: 'no-nullable',
    reason: 'OpenAPI 3.1 has no nullable: it is ignored, null is refused, and the type has no null.',
    fix: "Write type: [T, 'null'] for it; for a $ref, anyOf: [{ $ref }, { type: 'null' }].",
    *check(context) {
      if (/^3\.0\./.test(context.document.openapi)) return;
      const reported = new Set<string>();
      for (const { value, path } of context.schemas) {
        // Several schemas of the document may come from one that is written.
        const pointer = pointerTo(...context.writtenAt(path));
        if (!hasNullable(context, path) || reported.has(pointer)) continue;
        reported.add(pointer);
        const types = typesOf(value).filter((type) => type !== 'null');
        const fix = types.length === 0 ? undefined : `Write type: [${[...types, "'null'"].join(', ')}], and remove nullable.`;
        yield { path: [...path, 'nullable'], message: 'nullable has no meaning in OpenAPI 3.1', ...(fix !== undefined && { fix }) };
      }
    },
  },
];
