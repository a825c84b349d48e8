/** Rules of links: what a response points to has to be there. */
import { listOperations, parametersOf, pointerTo, type DocumentOperation, type Link } from '@specwright/server';
import type { Node } from './collect-nodes.ts';
import type { Rule, RuleContext } from './rule.ts';

const WHY = 'Documentation, client generators and fuzzers follow links; one that leads nowhere breaks them without a word.';

/** The operation that a link means; `null` if it cannot be told: one of another document. */
function targetOf({ document }: RuleContext, { value: { operationId, operationRef } }: Node<Link>): DocumentOperation | null | undefined {
  const all = listOperations(document);
  if (operationId !== undefined) return all.find(({ operation }) => operation.operationId === operationId);
  if (operationRef === undefined) return undefined;
  if (!operationRef.startsWith('#')) return null;
  // Braces may stand in it as they are.
  const normal = (pointer: string) => decodeURIComponent(pointer);
  return all.find(({ path, method }) => normal(pointerTo('paths', path, method)) === normal(operationRef));
}

export const LINK_RULES: readonly Rule[] = [
  {
    name: 'link-operation',
    reason: WHY,
    fix: 'Name the operationId of an operation of this document.',
    *check(context) {
      for (const link of context.links) {
        if (targetOf(context, link) !== undefined) continue;
        const { operationId, operationRef } = link.value;
        if (operationId !== undefined) yield { path: [...link.path, 'operationId'], message: `there is no operation ${operationId}` };
        else if (operationRef !== undefined)
          yield { path: [...link.path, 'operationRef'], message: `there is no operation at ${operationRef}` };
        else yield { path: link.path, message: 'the link has neither operationId nor operationRef' };
      }
    },
  },
  {
    name: 'link-parameter',
    reason: WHY,
    fix: 'Name a parameter that the operation declares, as `name` or as `path.name`, `query.name`, `header.name`.',
    *check(context) {
      for (const link of context.links) {
        const target = targetOf(context, link);
        if (!target) continue;
        const known = parametersOf(context.document, target).flatMap((p) => [p.name, `${p.in}.${p.name}`]);
        for (const name of Object.keys(link.value.parameters ?? {})) {
          if (known.includes(name)) continue;
          const id = target.operation.operationId ?? `${target.method.toUpperCase()} ${target.path}`;
          yield { path: [...link.path, 'parameters', name], message: `operation ${id} has no parameter ${name}` };
        }
      }
    },
  },
];
