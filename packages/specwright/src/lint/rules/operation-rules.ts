/** Rules of operations: operationId, request body, error responses. */
import { listOperations, operationKeys, pointerTo, toolExtensionOf, type MediaType, type Response } from '@specwright/contract/document';
import { follow, type Rule } from './rule.ts';

const METHODS_WITHOUT_BODY = ['get', 'head', 'delete'];

export const OPERATION_RULES: readonly Rule[] = [
  {
    name: 'no-request-body',
    reason: 'The content of such a request has no defined meaning (RFC 9110, section 9.3): clients do not send it, proxies drop it.',
    fix: 'Remove requestBody: use parameters, or another method.',
    *check({ document }) {
      for (const { path, method, operation } of listOperations(document)) {
        if (METHODS_WITHOUT_BODY.includes(method) && operation.requestBody !== undefined)
          yield { path: [...operationKeys({ path, method }), 'requestBody'], message: `a ${method.toUpperCase()} request has no body` };
      }
    },
  },
  {
    name: 'operation-id-identifier',
    reason: 'The operationId names the handler, its types and its stub.',
    fix: 'Begin with a letter and use letters, digits and _ only, as in listUsers.',
    *check({ document }) {
      for (const { path, method, operation } of listOperations(document)) {
        const { operationId } = operation;
        if (operationId === undefined || /^[A-Za-z_$][\w$]*$/.test(operationId)) continue;
        yield {
          path: [...operationKeys({ path, method }), 'operationId'],
          message: `operationId ${operationId} is not a JavaScript identifier`,
        };
      }
    },
  },
  {
    name: 'tool-description',
    reason: 'A model chooses a tool, and its arguments, by its description.',
    fix: 'Set x-mcp/description: what it does, when to use it, and where its arguments come from.',
    *check({ document }) {
      for (const operation of listOperations(document)) {
        const tool = toolExtensionOf(operation);
        if (tool !== undefined && !tool.description)
          yield { path: [...operationKeys(operation), 'x-mcp'], message: `the tool ${tool.name} has no description` };
      }
    },
  },
  {
    name: 'error-body',
    reason: 'Every step of the pipeline that refuses a request answers with this body: another schema is never met.',
    fix: "Declare application/json with schema: { $ref: '#/components/schemas/Error' }.",
    *check({ document }) {
      for (const { path, method, operation } of listOperations(document)) {
        for (const [status, reference] of Object.entries(operation.responses)) {
          if (!/^([45]|default$)/.test(status)) continue;
          const here = [...operationKeys({ path, method }), 'responses', status];
          const response = follow<Response>(document, reference, here);
          if (response === undefined) continue;
          const types = Object.entries(response.value.content ?? {});
          const wrong = types.find(([, { schema }]: [string, MediaType]) => schema?.$ref !== pointerTo('components', 'schemas', 'Error'));
          if (types.length > 0 && wrong === undefined) continue;
          const what = wrong === undefined ? 'has no body' : `has another body than Error as ${wrong[0]}`;
          const at = wrong === undefined ? response.path : [...response.path, 'content', wrong[0]];
          yield { path: at, message: `response ${status} of ${method.toUpperCase()} ${path} ${what}` };
        }
      }
    },
  },
];
