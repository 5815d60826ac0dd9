// A seed that those at a table make together: this browser's share, committed to before any is
// shown, and shown of itself once all have committed.
import { h } from './api.js';
import { commitmentOf, hexOf } from './sha256.js';

/** @param {string} id @param {string} seat */
const place = (id, seat) => `decklaw-share-${id}-${seat}`;
/** Shares of this page, for browsers that keep nothing. @type {Record<string, string>} */
const held = {};

function share(id, seat) {
  try {
    return localStorage.getItem(place(id, seat)) ?? held[seat];
  } catch {
    return held[seat];
  }
}

/** Makes a share of chance, keeps it here, and answers what commits to it. */
async function fresh(id, seat) {
  const made = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  held[seat] = made;
  try {
    localStorage.setItem(place(id, seat), made);
  } catch { /* it is kept as long as the page is open */ }
  return commitmentOf(made);
}

/** Every commitment, once all seats have made theirs; otherwise nothing. @param {any} view */
export function committed(view) {
  const all = Object.values(view.shares?.committed ?? {});
  return view.shares && all.length === Object.keys(view.seats).length ? [view.shares.machine, ...all] : null;
}

/** This browser's share, where all have committed and it is awaited. @param {any} view */
export async function due(view, id, seat) {
  if (view.phase !== 'shares' || !committed(view) || view.shares.shown.includes(seat)) return null;
  const own = share(id, seat);
  return own && await commitmentOf(own) === view.shares.committed[seat] ? own : null;
}

/** What is shown while shares are gathered. @param {any} view @param {(what: any) => Promise<boolean>} act */
export function gathering(view, id, seat, act) {
  if (view.phase !== 'shares') return null;
  const { machine, committed: told, shown } = view.shares;
  const plays = seat !== 'onlooker';
  const all = committed(view);
  const letters = Object.keys(view.seats);
  const row = (who, commitment, state) => h('tr', {}, h('th', { scope: 'row' }, who), h('td', {}, state), h('td', {}, commitment ? h('code', { class: 'hash' }, commitment) : ''));
  const state = (letter) => {
    if (shown.includes(letter)) return 'has shown theirs';
    return told[letter] ? 'has committed' : 'not yet';
  };
  const input = h('input', {
    id: 'elsewhere', 'data-key': 'elsewhere', autocomplete: 'off', spellcheck: 'false', maxlength: '64',
    'aria-label': all ? 'The share' : 'The commitment', placeholder: all ? 'the share: 64 digits' : 'the commitment: 64 digits',
  });
  return h('section', { class: 'shares' }, h('h2', {}, 'A seed that the table makes'),
    h('p', {}, 'Every shuffle and every die follows from a seed. Each seat brings a share of it, and commits to it before any is shown, so that nobody can try many until the deal suits. The machine brings one, too, that no player sees, so that nobody can deal the match at home. After the game all shares are shown, and this page compares them with these commitments.'),
    h('table', {}, h('tbody', {}, row('The machine', machine, 'has committed'),
      letters.map((letter) => row(`Seat ${letter}${letter === seat ? ' (you)' : ''}`, told[letter], state(letter))))),
    plays && !told[seat] ? h('button', {
      type: 'button', class: 'primary', 'data-key': 'share', onclick: async () => act({ share: { commit: await fresh(id, seat) } }),
    }, 'Bring a share of chance') : null,
    plays && told[seat] && !all ? h('p', { class: 'note', role: 'status' }, 'Your share stays in this browser until all have committed; then it is shown of itself. Keep this page.') : null,
    all ? h('p', { class: 'note', role: 'status' }, `All have committed. Waits for the share of seat ${letters.filter((letter) => !shown.includes(letter)).join(', ')}, whose page must be open.`) : null,
    plays && !shown.includes(seat) ? h('details', {}, h('summary', {}, 'Made elsewhere'),
      h('p', {}, 'This page came from the server. Who does not trust it to make a share runs ', h('code', {}, 'decklaw match share commit'), ' on a machine of their own, brings the commitment, and when all have committed the share.'),
      h('form', {
        class: 'row', onsubmit: (event) => {
          event.preventDefault();
          act({ share: all ? { show: input.value } : { commit: input.value } });
        },
      }, input, h('button', { 'data-key': 'bring' }, all ? 'Show the share' : 'Commit'))) : null,
    plays && all ? h('button', { type: 'button', 'data-key': 'anew', onclick: () => act({ share: 'anew' }) }, 'A share was lost: all bring new ones') : null);
}
