/** Lists what of a contract is not served as written, on a screen and in a file of the new project: a line per construct. */
import {
  groupUnsupported,
  listOutgoing,
  operationKeys,
  operationTable,
  outgoingTable,
  type SourceDocument,
  type UnsupportedFeature,
} from '@specwright/contract/document';

/** How many lines a screen can take. */
const MAX_LINES = 100;

/** The operations that their tests cannot call, as features that are not served. @param exemptions operationId -> the reason. */
export function unreachedOperations(source: SourceDocument, exemptions: Readonly<Record<string, string>>): UnsupportedFeature[] {
  const table = operationTable(source.document);
  return Object.entries(exemptions).flatMap(([operationId, reason]) => {
    const operation = table[operationId];
    if (operation === undefined) return [];
    const feature = 'its test cannot call it';
    const construct = 'an operation that its test cannot call: test/contract/exemptions.json has the reasons';
    return [{ ...source.locate(operationKeys(operation)), operationId, feature, behavior: reason, construct, isUnreached: true }];
  });
}

export function notesOnScreen(notes: readonly UnsupportedFeature[]): string[] {
  if (notes.length === 0) return [];
  const lines = groupUnsupported(notes);
  return [
    'Not served as written:',
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more`] : []),
    'All of it is in docs/not-served.md of the project.',
  ];
}

/** What the contract says that the service sends, which it does once a function of `generated/outgoing.ts` is called. */
export function unsentOutgoing({ document, locate }: SourceDocument): UnsupportedFeature[] {
  const table = outgoingTable(document);
  return listOutgoing(document)
    .filter(({ name }) => Object.hasOwn(table, name))
    .map(({ name, path, callback }) => {
      const feature = `the ${callback === undefined ? 'webhook' : 'callback'} ${name}`;
      const behavior = 'nothing sends it yet: call its function of generated/outgoing.ts, with @specwright/accounts/webhooks';
      const construct =
        'webhooks and callbacks: nothing sends them yet, call the functions of generated/outgoing.ts, with @specwright/accounts/webhooks';
      return { ...locate(path), operationId: callback?.operationId, feature, behavior, construct, isUnreached: false };
    });
}

/** @returns Markdown. The lines are those of the project's spec. */
export function notesInFile(notes: readonly UnsupportedFeature[]): string {
  const rows = groupUnsupported(notes).map((line) => `- ${line}`.replace(/[<>*_]/g, '\\$&'));
  const found = rows.length > 0 ? 'Everything else is served.' : 'Nothing: everything that the contract says is served.';
  return `${['# What is not served as written', `Found when this project was made. ${found}`, ...(rows.length > 0 ? [rows.join('\n')] : [])].join('\n\n')}\n`;
}
