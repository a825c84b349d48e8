/** What of a published change is written: `PublishedChange` of the package check has it. */
export interface FormattedChange {
  readonly kind: 'added' | 'changed' | 'deprecated' | 'removed';
  readonly where: string;
  readonly what: string;
  readonly schema?: string | undefined;
  readonly sides?: readonly string[] | undefined;
  readonly operations: readonly string[];
  readonly breaking?: { readonly rule: string; readonly impact: string; readonly reasons: readonly string[] } | undefined;
}
/** A changelog as Markdown: by operation, by shared schema, and of the whole API. Headings of groups have level 3. */
export declare function formatRelease(release: { readonly changes: readonly FormattedChange[] }): string;
