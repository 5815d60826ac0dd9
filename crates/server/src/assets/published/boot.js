// Starts a published page from its scripts: no module is fetched, so the page opens from a disk, too.
(() => {
  const { modules, sheets } = globalThis.decklaw;
  // The game and the engine come after what is seen first.
  globalThis.decklaw.loaded = new Promise((loaded) => { addEventListener('DOMContentLoaded', loaded); });
  const add = (kind, text, type) => {
    const element = document.createElement(kind);
    if (type) element.type = type;
    element.textContent = text;
    document.head.append(element);
  };
  const imports = Object.fromEntries(Object.entries(modules).map(([name, text]) => [`decklaw/${name}`, `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`]));
  add('script', JSON.stringify({ imports }), 'importmap');
  const format = new URLSearchParams(location.hash.slice(1)).get('f');
  const replays = location.hash === '#replay';
  const start = format ? 'builder.js' : replays ? 'replay.js' : 'home.js';
  add('style', sheets[start]);
  const app = document.getElementById('app');
  if (format) app.dataset.format = format;
  else app.replaceWith(document.getElementById(replays ? 'replay' : 'start').content);
  if (replays) document.body.className = 'table replay';
  import(`decklaw/${start}`).catch((error) => { document.body.append(`This page cannot be started: ${error.message ?? error}`); });
  if ('serviceWorker' in navigator && location.protocol.startsWith('http')) navigator.serviceWorker.register('sw.js').catch(() => { /* it is then not there without a network */ });
})();
