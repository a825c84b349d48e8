/** Rule: `Location` of a response 201 is the URL of the record that was created (RFC 9110, section 15.3.2). */
import { isSuccess } from '../attempt.ts';
import type { SpecOperation } from '../document.ts';
import { declaredHeaders, matchPath, parseBody } from '../read-back.ts';
import { isSameValue } from '../values/compare-values.ts';
import { itemParameter } from './record-list.ts';
import { NotTriedError, propertyIn, type RuleContext } from './rule-context.ts';
import type { Finding, Rule } from './rule.ts';

export const LOCATION: Rule = {
  title: 'names the created record in Location',
  cases: (spec, operation) => {
    const gets = spec.operations.filter(({ method }) => method === 'GET');
    const parameter = gets.flatMap(({ path }) => itemParameter(operation.path, path) ?? [])[0];
    const isDeclared = operation.statuses.includes('201') && declaredHeaders(spec.document, operation, 201).includes('location');
    return operation.method === 'POST' && isDeclared && parameter !== undefined
      ? [{ name: 'Location', check: (context) => checkLocation(context, operation, parameter) }]
      : [];
  },
};

async function checkLocation(context: RuleContext, operation: SpecOperation, parameter: string): Promise<Finding | undefined> {
  const { operations } = context.spec;
  const [call = {}] = await context.prepare(operation);
  const response = await context.sendSuccessfully(operation, call);
  if (response.status !== 201) throw new NotTriedError(`${operation.id} answers ${response.status}, not 201`);
  const location = response.headers.get('location');
  const report = (problem: string): Finding => {
    const fix = `return the URL of the created record in the handler of ${operation.id}`;
    return { operation, call, response, problems: [problem], fix };
  };
  if (location === null) return report('there is no header Location');
  const reading = matchPath(
    operations.filter(({ method }) => method === 'GET'),
    location,
  );
  if (reading === undefined) return report(`Location is ${location}, which no operation of the contract reads`);
  const read = await context.read(reading, call, response);
  if (!isSuccess(read)) return report(`Location is ${location}, which ${reading.operation.id} answers with ${read.status}`);
  const [created, found] = [parseBody(response), parseBody(read)];
  const name = [parameter, 'id', 'uuid', 'key'].find(
    (one) => propertyIn(created, one) !== undefined && propertyIn(found, one) !== undefined,
  );
  if (name === undefined || isSameValue(propertyIn(created, name), propertyIn(found, name))) return undefined;
  return report(
    `Location is ${location}, where ${name} is ${JSON.stringify(propertyIn(found, name))}, not ${JSON.stringify(propertyIn(created, name))}`,
  );
}
