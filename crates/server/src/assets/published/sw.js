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

/** What is kept, or what comes now; of pictures those that were seen are kept. @param {Cache} cache @param {Request} request */
async function answer(cache, request) {
  const kept = await cache.match(request);
  if (kept) return kept;
  try {
    const found = await fetch(request);
    if (found.ok && new URL(request.url).pathname.includes('/pictures/')) await cache.put(request, found.clone());
    return found;
  } catch (error) {
    // An address with something behind its `?` is this page, too.
    const page = request.mode === 'navigate' && await cache.match('index.html');
    if (page) return page;
    throw error;
  }
}

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(NAME).then((cache) => answer(cache, event.request)));
});
