/** Text helpers. */

/** `1 problem`, `2 problems` */
export const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
