/** Moments of this process by the store's clock, so that those of several processes can be compared. */

export function createStoreClock() {
  let offset: number | undefined;
  return {
    /**
     * Notes that the store's clock was `storeNow` (ms since the epoch) at some time between `sentAt`, on the clock of
     * `performance.now()`, and this moment.
     *
     * The offset is changed only as far as what is observed demands: two moments of this process keep their distance, and a
     * moment after an answer is never before what the store said then.
     */
    observe(storeNow: number, sentAt: number): void {
      const least = storeNow - performance.now();
      const most = storeNow - sentAt;
      offset = Math.min(Math.max(offset ?? least, least), most);
    },

    /** @param moment on the clock of `performance.now()`. @returns ms since the epoch. */
    at: (moment: number): number => moment + (offset ?? performance.timeOrigin),
  };
}
