/** Rules about the text of a document: what is read here, and refused elsewhere. */
import type { Rule } from './rule.ts';

export const SYNTAX_RULES: readonly Rule[] = [
  {
    name: 'closing-bracket',
    reason: 'YAML 1.2 (section 7.4) has brackets indented more than their key: other tools cannot read the document.',
    fix: 'Indent the bracket by one more space, or write it behind the last value.',
    *check({ warnings }) {
      for (const { message, file, line = 1, column = 1 } of warnings)
        yield { path: [], message, at: { ...(file !== undefined && { file }), line, column } };
    },
  },
];
