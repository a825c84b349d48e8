/** What to do about the codes that the server itself answers with. */
export declare const ADVICE: Readonly<Record<string, string>>;
