/** After all tests: ends what global-setup started. */
export default async function teardown() {
  await globalThis.testServer?.stop();
}
