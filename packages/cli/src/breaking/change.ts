/** What is known of a change: as the comparison gives it, as a rule judges it, and as it is told. */
import type { SourceDocument } from '@specwright/server';

/** One side of a change. A value that is not there has the place of what it is missing from. */
export interface Side {
  /** JSON pointer to where it is written, behind every `$ref`. */
  readonly pointer: string;
  readonly value?: unknown;
}

/** A change as `redocly diff` lists it: all of them, and for those that it takes for breaking, which of its rules says so. */
export interface Change {
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly property?: string;
  readonly validationErrors: readonly { readonly ruleId: string; readonly impact: string; readonly message: string }[];
  readonly base?: Side;
  readonly revision?: Side;
}

/** What the rules look at. */
export interface Comparison {
  readonly base: SourceDocument;
  readonly working: SourceDocument;
  readonly changes: readonly Change[];
  /** Whether what stands at a pointer of either document is part of what clients send, or of what they receive. */
  readonly sent: (pointer: string) => boolean;
  readonly received: (pointer: string) => boolean;
  readonly now: Date;
}

/** A change that breaks a client, as a rule finds it. Where one side has nothing, it has no pointer. */
export interface Break {
  readonly rule: string;
  readonly message: string;
  readonly base?: string | undefined;
  readonly working?: string | undefined;
}

/** A break as it is told. Lines and columns count from 1; a side that has nothing is told at what it is missing from. */
export interface Finding {
  readonly rule: string;
  /** What has changed, in one sentence that begins with the operation or the component. */
  readonly change: string;
  /** Why a client breaks. */
  readonly why: string;
  /** JSON pointer into the working spec; for what is gone, into the base. With rule and change, it is what a record names. */
  readonly at: string;
  readonly base: { readonly line: number; readonly column: number };
  readonly working: { readonly line: number; readonly column: number };
}
