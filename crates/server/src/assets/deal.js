// What this browser brings to the deal at a table: 32 bytes of chance. It remembers them, and the SHA-256
// of the server's secret that it was told before.
import { chance } from './api.js';

const place = (id) => `decklaw-deal-${id}`;

/** What this browser remembers of the deal at a table. @param {string} id @returns {{secret: string, brought: string} | null} */
export function remembered(id) {
  try {
    return JSON.parse(localStorage.getItem(place(id)) ?? 'null');
  } catch {
    return null;
  }
}

const field = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name=random]'));
if (field) {
  field.value = chance() + chance();
  const { secret, brought } = document.getElementById('deal')?.dataset ?? {};
  const table = /^\/t\/([^/]+)\//.exec(location.pathname)?.[1];
  const remember = (own) => {
    try {
      if (table && own) localStorage.setItem(place(table), JSON.stringify({ secret, brought: own }));
    } catch { /* a browser that keeps nothing remembers nothing */ }
  };
  remember(brought);
  field.form?.addEventListener('submit', () => remember(field.value));
}
