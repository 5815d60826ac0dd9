// Keeps the page for when there is no network: all of it, and each publication apart from others.
const FILES = [];
const NAME = 'decklaw';

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

addEventListener('activate', (event) => {
  const own = NAME.slice(0, NAME.lastIndexOf(' '));
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== NAME && name.startsWith(`${own} `)).map((name) => caches.delete(name)))));
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(NAME).then(async (cache) => await cache.match(event.request, { ignoreSearch: true }) ?? fetch(event.request)));
});
