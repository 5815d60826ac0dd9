// A table that gathers its players: who is there is shown anew as it changes, and the page goes on by
// itself once the match is laid.
import { h, later, say } from './api.js';
import './deal.js';

/** Beside each link a button that copies it. */
function copies() {
  for (const link of document.querySelectorAll('#there .private a')) {
    const copy = async () => {
      await navigator.clipboard?.writeText(link.href);
      say(navigator.clipboard ? 'Copied' : 'This browser copies nothing here: hold the link, or select it.');
    };
    link.parentElement.after(h('p', {}, h('button', { type: 'button', onclick: copy }, 'Copy the link')));
  }
}

let shown = document.getElementById('there').cloneNode(true);

/** Looks at who is there now; where the page is another one by now, goes there. */
async function look() {
  const response = await fetch(location.pathname).catch(() => null);
  if (!response) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const there = page.getElementById('there');
  if (!there) return location.replace(location.pathname);
  if (there.isEqualNode(shown)) return;
  shown = there.cloneNode(true);
  document.getElementById('there').replaceWith(there);
  copies();
}

function listen() {
  const changes = new EventSource(`/api${location.pathname}/changes`);
  changes.addEventListener('changed', look);
  // A browser connects again by itself, but not after every kind of end.
  changes.addEventListener('error', () => {
    if (changes.readyState === EventSource.CLOSED) later(2000).then(look).then(listen);
  });
}

copies();
listen();
