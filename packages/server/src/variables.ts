/** Variables of the environment that only a server has. */
import { availableParallelism } from 'node:os';
import { parsed, text, type Variable } from '@specwright/contract/variables';
import { originProblems } from './pipeline/cors/origins.ts';

/** How many processes: a whole number up to 256, or `auto` for one per CPU that this process may use. */
export const processes = (): Variable<number> =>
  parsed(
    text(
      (given) => given === 'auto' || (/^[1-9]\d{0,2}$/.test(given) && Number(given) <= 256),
      'must be auto or a whole number from 1 to 256',
    ),
    (given) => (given === 'auto' ? availableParallelism() : Number(given)),
  );

/** Origins, comma-separated: those of `cors`. */
export const originList = (): Variable<readonly string[]> => {
  const split = (given: string) => given.split(',').map((origin) => origin.trim());
  const problems = (given: string) => originProblems(split(given)).map(({ origin, message }) => `${JSON.stringify(origin)} ${message}`);
  return parsed(
    text(
      (given) => problems(given).length === 0,
      (given) => `must be origins, comma-separated (${problems(given).join('; ')})`,
    ),
    split,
  );
};

/** A header of a proxy and how many proxies there are: `X-Forwarded-For` or `X-Forwarded-For:2`. */
export const trustedProxy = (): Variable<{ readonly header: string; readonly hops: number }> =>
  parsed(
    text((given) => /^[A-Za-z0-9-]+(:[1-9]\d?)?$/.test(given), 'must be a header and a number of proxies, such as X-Forwarded-For:1'),
    (given) => {
      const [header = '', hops = '1'] = given.split(':');
      return { header: header.toLowerCase(), hops: Number(hops) };
    },
  );
