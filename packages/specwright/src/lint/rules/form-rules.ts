/** Rules of forms: an encoding that no form can be written by. */
import { formProblems, listOperations, operationKeys, pointerTo, type RequestBody } from '@specwright/contract/document';
import { follow, type Rule } from './rule.ts';

export const FORM_RULES: readonly Rule[] = [
  {
    name: 'form-encoding',
    reason: 'The encoding of a form says how a property is written (OpenAPI 3.1.1, section 4.8.15): what has no text cannot be sent.',
    fix: 'Write contentType: application/json without style, or style: deepObject; see docs/forms.md.',
    *check({ document }) {
      const seen = new Set<string>();
      for (const { path, method, operation } of listOperations(document)) {
        const body = follow<RequestBody>(document, operation.requestBody, [...operationKeys({ path, method }), 'requestBody']);
        if (body === undefined || seen.has(pointerTo(...body.path))) continue;
        seen.add(pointerTo(...body.path));
        for (const [type, media] of Object.entries(body.value.content)) {
          if (!/^application\/x-www-form-urlencoded/i.test(type)) continue;
          for (const { name, message, fix } of formProblems(document, media))
            yield { path: [...body.path, 'content', type, 'encoding', name], message, fix };
        }
      }
    },
  },
];
