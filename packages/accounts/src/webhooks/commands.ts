/** `npm run -s administer -- messages`: looks at deliveries from the command line, and has those made again that were given up. */
import { UsageError } from '@specwright/server/command';
import { formatTable, parseInteger } from '../commands/options.ts';
import { defineServiceCommand, type ServiceCommand } from '../commands/service-command.ts';
import { listDeliveries, replayDeliveries, type DeliveryState, type OnReplay } from './deliveries.ts';

const STATUSES: readonly DeliveryState['status'][] = ['queued', 'sent', 'failed'];
const COLUMNS = ['accountId', 'id', 'name', 'status', 'attempts', 'answer', 'createdAt'] as const;
const MAX_LISTED = 1000;

const FILTER = {
  account: { type: 'string', value: 'ID', description: 'of this account alone' },
  since: { type: 'string', value: 'TIME', description: 'made at this time or later, as in 2026-11-24T09:00:00Z' },
} as const;

/** @throws UsageError unless it is a date with its time and offset (RFC 3339). */
function parseTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) || Number.isNaN(time.getTime()))
    throw new UsageError(`--since must be a time with its offset, such as 2026-11-24T09:00:00Z, not ${text}`);
  return time;
}

const filterOf = ({ account, since }: { account: string | undefined; since: string | undefined }) => ({
  accountId: account === undefined ? undefined : parseInteger(account, '--account', 1, Number.MAX_SAFE_INTEGER),
  since: since === undefined ? undefined : parseTime(since),
});

/**
 * The commands of a service that sends webhooks, for `commands` of `administer`.
 *
 * @param onReplay what the service does when deliveries are queued again, in the transaction that does it.
 */
export const deliveryCommands = (onReplay?: OnReplay): Readonly<Record<string, ServiceCommand>> => ({
  list: defineServiceCommand({
    summary: `messages and how far each one is, the newest first`,
    description: `Prints a table of ${MAX_LISTED} at the most: by default those that were given up.`,
    options: { ...FILTER, status: { type: 'string', value: 'STATUS', description: `one of ${STATUSES.join(', ')}` } },
    examples: ['', '--since 2026-11-24T09:00:00Z --account 7', '--status queued --json'],
    prepare({ values }) {
      const filter = filterOf(values);
      const status = STATUSES.find((one) => one === (values.status ?? 'failed'));
      if (status === undefined) throw new UsageError(`unknown status ${String(values.status)}: choose ${STATUSES.join(', ')}`);
      return async ({ db }) => {
        const deliveries = await listDeliveries(db, { ...filter, status }, MAX_LISTED);
        return { json: deliveries, text: deliveries.length === 0 ? 'none' : formatTable(deliveries, COLUMNS) };
      };
    },
  }),
  replay: defineServiceCommand({
    summary: 'sends again what was given up',
    description: 'Each message has the id that it had, so that a receiver which has taken it knows it.',
    options: { ...FILTER, since: { ...FILTER.since, required: true } },
    examples: ['--since 2026-11-24T09:00:00Z', '--since 2026-11-24T09:00:00Z --account 7'],
    prepare({ values }) {
      const filter = filterOf(values);
      return async ({ db }) => {
        const replayed = await replayDeliveries(db, filter, onReplay);
        return { json: { replayed }, text: `${replayed} queued` };
      };
    },
  }),
});
