/** What a page of a shop does, whichever client it has: what it shows, and what its buttons do. */
import type { InventoryEvent, Pet } from '../../../generated/client.ts';

export interface PageOptions {
  readonly baseUrl: string;
  /** An API key, which may have expired. */
  readonly key: string;
  /** Logs in again. */
  readonly renew: () => Promise<string>;
}

export interface Page {
  /** What the list shows. */
  readonly pets: Pet[];
  /** Reads the next page of the list. @returns whether there is another one */
  readonly more: () => Promise<boolean>;
  /** @returns texts by field of the form, none if the pet was added */
  readonly add: (values: { readonly name: string; readonly categoryId: number }) => Promise<Record<string, string[]>>;
  /** Shows the new name at once, and the old one again if somebody else has changed the pet. */
  readonly rename: (pet: Pet, name: string, etag: string) => Promise<boolean>;
  readonly watchStock: (onEvent: (event: InventoryEvent) => void, onState: (isLive: boolean) => void, signal: AbortSignal) => Promise<void>;
  /** @returns where the photo is, for `src` */
  readonly upload: (petId: number, photo: File, onProgress: (sent: number, total: number | undefined) => void) => Promise<string>;
}
