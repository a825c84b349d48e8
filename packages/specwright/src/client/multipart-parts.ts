/** What a client knows of the parts of multipart bodies: the media types that the contract declares for fields. */
import { bodyKind, type RequestBody } from '@specwright/contract/document';

/** @returns by property; `undefined` if none is declared. A list of types, or a range, leaves the choice to who sends. */
export function partTypes({ content }: RequestBody): Record<string, string> | undefined {
  const [, media] = Object.entries(content).find(([type]) => bodyKind(type) === 'multipart') ?? [];
  const types = Object.entries(media?.encoding ?? {}).flatMap(([name, { contentType }]) =>
    contentType === undefined || /[,*]/.test(contentType) ? [] : [[name, contentType] as const],
  );
  return types.length === 0 ? undefined : Object.fromEntries(types);
}
