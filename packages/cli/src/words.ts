/** Words for people that several scripts say. */

/** `1 finding`, `2 findings` */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
