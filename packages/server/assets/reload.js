/* Loads the page again when a server with another contract has replaced this one: in development alone. Plain JavaScript of a browser. */
(() => {
  const STATE = 'docs-reload';
  const RETRY_MS = 1000;
  const root = document.getElementById('docs');
  const TOGGLES = '.opblock-summary-control, .opblock-tag > .expand-operation';
  const idOf = (toggle) => toggle.closest('[id]').id;
  const toggles = () => [...document.querySelectorAll(TOGGLES)];
  const isOpen = (toggle) => toggle.getAttribute('aria-expanded') === 'true';

  /** Remembers what is open and where the page is scrolled to. The key is kept by Swagger UI. */
  function reload() {
    const open = toggles().filter(isOpen).map(idOf);
    sessionStorage.setItem(STATE, JSON.stringify({ open, scroll: scrollY, hash: location.hash }));
    // Swagger UI would scroll to what the address names.
    history.replaceState(null, '', location.pathname + location.search);
    location.reload();
  }

  function restore({ open, scroll, hash }) {
    for (const toggle of toggles()) if (isOpen(toggle) !== open.includes(idOf(toggle))) toggle.click();
    history.replaceState(null, '', location.pathname + location.search + hash);
    // What is opened is drawn later. A reader who scrolls is not disturbed.
    let isRead = false;
    for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown']) addEventListener(type, () => (isRead = true), { once: true });
    const until = performance.now() + 2000;
    const scrollBack = () => {
      if (isRead) return;
      scrollTo(0, scroll);
      if (performance.now() < until) requestAnimationFrame(scrollBack);
    };
    scrollBack();
  }

  /** Swagger UI draws when it has read the contract. One without operations has nothing to open. */
  const drawnBy = performance.now() + 10_000;
  function whenDrawn(use) {
    if (toggles().length > 0) use();
    else if (performance.now() < drawnBy) requestAnimationFrame(() => whenDrawn(use));
  }

  const remembered = sessionStorage.getItem(STATE);
  if (remembered !== null) {
    sessionStorage.removeItem(STATE);
    whenDrawn(() => restore(JSON.parse(remembered)));
  }

  function listen() {
    const events = new EventSource('docs/changes');
    events.onmessage = ({ data }) => data !== root.dataset.version && reload();
    events.onerror = () => {
      // Some browsers do not try again when nobody listens at the port.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
    };
  }
  listen();
})();
