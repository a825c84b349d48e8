/** Rules of links: their targets exist. */
import { listOperations, operationKeys, parametersOf, pointerTo, type DocumentOperation, type Link } from '@specwright/contract/document';
import { didYouMean } from '@specwright/server/command';
import type { Node } from '../collect-nodes.ts';
import type { Rule, RuleContext } from './rule.ts';

const REASON = 'Documentation, client generators and fuzzers follow links; a broken one fails silently.';

/** The target of a link; `null` for an operation of another document, which is unknown here. */
function targetOf({ document }: RuleContext, { value: { operationId, operationRef } }: Node<Link>): DocumentOperation | null | undefined {
  const all = listOperations(document);
  if (operationId !== undefined) return all.find(({ operation }) => operation.operationId === operationId);
  if (operationRef === undefined) return undefined;
  if (!operationRef.startsWith('#')) return null;
  // Braces need not be percent-encoded.
  const normalize = (pointer: string) => decodeURIComponent(pointer);
  return all.find(({ path, method }) => normalize(pointerTo(...operationKeys({ path, method }))) === normalize(operationRef));
}

const operationIds = ({ document }: RuleContext) => listOperations(document).map(({ id }) => id);

export const LINK_RULES: readonly Rule[] = [
  {
    name: 'link-operation',
    reason: REASON,
    fix: 'Name the operationId of an operation of this document.',
    *check(context) {
      for (const link of context.links) {
        if (targetOf(context, link) !== undefined) continue;
        const { operationId, operationRef } = link.value;
        if (operationId !== undefined)
          yield {
            path: [...link.path, 'operationId'],
            message: `there is no operation ${operationId}${didYouMean(operationId, operationIds(context))}`,
          };
        else if (operationRef !== undefined)
          yield { path: [...link.path, 'operationRef'], message: `there is no operation at ${operationRef}` };
        else yield { path: link.path, message: 'the link has neither operationId nor operationRef' };
      }
    },
  },
  {
    name: 'link-parameter',
    reason: REASON,
    fix: 'Name a parameter that the operation declares, as `name` or as `path.name`, `query.name`, `header.name`.',
    *check(context) {
      for (const link of context.links) {
        const target = targetOf(context, link);
        if (!target) continue;
        const declared = parametersOf(context.document, target).flatMap((p) => [p.name, `${p.in}.${p.name}`]);
        for (const name of Object.keys(link.value.parameters ?? {})) {
          if (declared.includes(name)) continue;
          const id = target.operation.operationId ?? `${target.method.toUpperCase()} ${target.path}`;
          yield {
            path: [...link.path, 'parameters', name],
            message: `operation ${id} has no parameter ${name}${didYouMean(name, declared)}`,
          };
        }
      }
    },
  },
];
