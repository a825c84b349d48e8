/** After all tests: stops what global-setup started. */
export default async function teardown() {
  await globalThis.__testServer?.stop();
}
