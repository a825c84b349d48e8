/** Tests that an operation accepts everything that its request declares, and that what was written is what is read. */
import { attempt, isInside, isSuccess, isSuccessKey, successfulCalls, type Attempt } from './attempt.ts';
import { NoValueError } from './values/build-options.ts';
import { type Walk, exemptPlacesOf, exemptionsOf, needless, orExempt, describeFailure, formatValue } from './walk-options.ts';
import type { SpecOperation } from './document.ts';
import { ALL, listVariants, optionalPlaces, requestSchemas, withProperty, type Variant } from './values/variants.ts';

/** What is wrong, by what it is about. */
type Failures = readonly (readonly [about: string, text: string])[];

const MAX_REPORTED = 5;

/**
 * Sends an operation everything that it declares: all optional properties and none, each enum value, each branch of a union;
 * and reads what was written, in the response and with the operation that reads it. An operation that answers 501 is not written yet.
 *
 * @throws Error with what is refused or does not come back, and with exemptions that are not needed.
 */
export async function tryWrittenValues<World>(walk: Walk<World>, operation: SpecOperation): Promise<void> {
  const { document } = walk.spec;
  const schemas = requestSchemas(document, operation);
  const variants = listVariants(document, schemas);
  if (variants.length === 0 || !operation.statuses.some(isSuccessKey) || !(await isWritten(walk, operation))) return;
  const exempt = exemptionsOf(walk, operation);
  const exemptPlaces = exemptPlacesOf(walk, operation, schemas, document);

  const send = async (variant: Variant, omitted = exemptPlaces): Promise<Attempt | string> => {
    try {
      return await attempt(walk, operation, schemas, variant, omitted);
    } catch (error) {
      if (error instanceof NoValueError) return `${operation.id} with ${variant.name}: ${error.message}`;
      throw error;
    }
  };

  async function tryVariant(variant: Variant): Promise<Failures> {
    const { place, name } = variant;
    if (place !== undefined && exemptPlaces.some((one) => isInside(place, one))) return [];
    if (exempt.has(name)) return tryExempt(variant);
    const made = await send(variant);
    if (typeof made === 'string') return [[name, made]];
    if (name !== ALL || isSuccess(made.response)) return report(walk, operation, made);
    // Which property it is, if it is one; and what is wrong with those that are accepted.
    const wrong: Attempt[] = [];
    for (const one of optionalPlaces(document, schemas).filter((optional) => !exemptPlaces.includes(optional))) {
      const alone = await send(withProperty(one));
      if (typeof alone !== 'string' && (!isSuccess(alone.response) || alone.differences.length > 0)) wrong.push(alone);
    }
    return (wrong.some(({ response }) => !isSuccess(response)) ? wrong : [...wrong, made]).flatMap((one) => report(walk, operation, one));
  }

  /** What is exempt is refused, or does not come back; if neither is so, the exemption has to go. An error of the server is never exempt. */
  async function tryExempt(variant: Variant): Promise<Failures> {
    const { name, place } = variant;
    const made = await send(
      variant,
      exemptPlaces.filter((one) => !isInside(one, name) && !isInside(name, one)),
    );
    if (typeof made === 'string') return [];
    if (made.response.status >= 500) return report(walk, operation, made);
    if (!isSuccess(made.response) || made.differences.some((one) => name !== place || isInside(one.place, name))) return [];
    return [[name, needless(walk, operation, name, 'it is accepted and comes back')]];
  }

  const failures = new Map<string, string>();
  for (const variant of variants)
    for (const [about, text] of await tryVariant(variant)) if (!failures.has(about)) failures.set(about, text);
  for (const place of exemptPlaces) for (const [about, text] of await tryExempt(withProperty(place))) failures.set(about, text);
  const listed = [...failures.values()];
  const more = listed.length - MAX_REPORTED;
  if (listed.length > 0) throw new Error([...listed.slice(0, MAX_REPORTED), ...(more > 0 ? [`and ${more} more`] : [])].join('\n\n'));
}

/** What is not, or does not succeed as its scenarios say, is reported by the tests of its statuses. */
async function isWritten<World>(walk: Walk<World>, operation: SpecOperation): Promise<boolean> {
  const calls = await successfulCalls(walk, operation).catch(() => undefined);
  if (calls === undefined) return false;
  const [call] = calls;
  if (call !== undefined) return isSuccess(await walk.client.send(operation.id, call));
  const success = operation.statuses.filter(isSuccessKey).join(', ');
  throw new Error(`no scenario makes ${operation.id} succeed: add one that answers ${success} to ${walk.scenariosFile}`);
}

function report<World>(
  walk: Walk<World>,
  operation: SpecOperation,
  { variant, call, response, problems, unread, differences }: Attempt,
): Failures {
  const { id, statuses } = operation;
  const describe = (...lines: string[]) => describeFailure(operation, call, response, lines, walk);
  const found: [string, string][] = [];
  if (problems.length > 0) {
    const subject = variant.place === undefined ? `a request with ${variant.name}` : variant.name;
    const fix =
      isSuccess(response) || response.status >= 500
        ? `fix: make the handler of ${id} accept ${subject}`
        : `fix: give ${variant.place ?? 'it'} a value that is accepted, in a call of ${id} ${statuses.find(isSuccessKey) ?? ''} in ${walk.scenariosFile}${orExempt(walk, operation, variant.name)}`;
    // A property that is refused with others is refused alone: that is said once.
    found.push([variant.changed ?? variant.name, describe(...problems.map((problem) => `${variant.name}: ${problem}`), fix)]);
  }
  if (unread !== undefined) {
    const credentials = `, or give its calls \`readWith\` in ${walk.scenariosFile} if other credentials read it`;
    const line = `${unread.reader}, which reads what was written, answers ${unread.status}`;
    found.push([unread.reader, describe(line, `fix: make ${unread.reader} read what ${id} writes${credentials}`)]);
  }
  const [first] = differences;
  if (first === undefined) return found;
  const lines = differences.map(
    ({ place, written, read, reader }) => `${place} was written as ${formatValue(written)}: ${formatValue(read)} came back from ${reader}`,
  );
  const about = [...new Set(differences.map(({ place }) => place))].join();
  const fix = `fix: store and return ${first.place} in the handler of ${id}${orExempt(walk, operation, first.place)}`;
  return [...found, [about, describe(...lines, fix)]];
}
