// Starts the page from what lies beside it: no module is fetched, so that it opens from a disk, too.
(() => {
  const { modules } = globalThis.decklaw;
  const imports = Object.fromEntries(Object.entries(modules).map(([name, text]) => [`decklaw/${name}`, `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`]));
  const map = document.createElement('script');
  map.type = 'importmap';
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  const format = new URLSearchParams(location.hash.slice(1)).get('f');
  const app = document.getElementById('app');
  if (format) app.dataset.format = format;
  import(`decklaw/${format ? 'builder.js' : 'start.js'}`).catch((error) => { app.textContent = `This page cannot be started: ${error}`; });
  if ('serviceWorker' in navigator && location.protocol.startsWith('http')) navigator.serviceWorker.register('sw.js').catch(() => { /* it is then not there without a network */ });
})();
