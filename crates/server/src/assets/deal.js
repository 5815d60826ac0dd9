// What this browser brings to the deal at a table: 32 random bytes. It remembers them, and the SHA-256 of
// the server's secret that it was shown before.
import { read, write } from './tables.js';

const place = (path) => `decklaw-deal-${path}`;

/** What this browser remembers of the deal at a table. @returns {{secret: string, brought: string} | null} */
export const remembered = (path) => read(place(path), null);

/** Fills in the bytes that the form of this page brings. */
export function bring() {
  const field = document.querySelector('input[name=random]');
  if (!field) return;
  field.value = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const { secret, brought } = document.getElementById('deal').dataset;
  const remember = (own) => { if (own && location.pathname.startsWith('/t/')) write(place(location.pathname), { secret, brought: own }); };
  remember(brought);
  field.form.addEventListener('submit', () => remember(field.value));
}
