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

/** A moment that the server tells, by this browser's clock. @param {string} at */
const clock = (at) => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

/** What is wrong with rounds of shares that came to nothing, as the end opens them, or null.
 * @param {any[]} opened @param {any[]} [told] what this browser was told of them before */
export async function faultOf(opened, told = []) {
  for (const [at, round] of opened.entries()) {
    const shares = [[round.machine.commitment, round.machine.share],
      ...Object.entries(round.shown).map(([letter, share]) => [round.committed[letter], share])];
    for (const [commitment, share] of shares) if (await commitmentOf(share) !== commitment) return `a share of round ${at + 1} is not what was committed to`;
    const before = told[at];
    const same = !before || (before.machine === round.machine.commitment
      && Object.entries(before.committed).every(([letter, commitment]) => round.committed[letter] === commitment)
      && before.missing.join() === round.missing.join());
    if (!same) return `round ${at + 1} of the shares is not what this browser was told before`;
  }
  return told.length > opened.length ? 'a round of the shares that this browser was told of is left out' : null;
}

/** The rounds that came to nothing, with what was shown in them. @param {any[]} opened */
export function roundsOf(opened) {
  return opened.map((round, at) => h('section', {}, h('h3', {}, `Shares, round ${at + 1}: not shown by seat ${round.missing.join(', ')}`),
    h('table', {}, h('tbody', {}, [['The machine', round.machine.share], ...Object.keys(round.committed).map((letter) => [`Seat ${letter}`, round.shown[letter]])]
      .map(([who, share]) => h('tr', {}, h('th', { scope: 'row' }, who), h('td', {}, share ? h('code', { class: 'hash' }, share) : 'not shown')))))));
}

/** What is shown while shares are gathered. @param {any} view @param {(what: any) => Promise<boolean>} act */
export function gathering(view, id, seat, act) {
  if (view.phase !== 'shares') return null;
  const { machine, committed: told, shown, since, patience, lines } = view.shares;
  const plays = seat !== 'onlooker';
  const all = committed(view);
  const letters = Object.keys(view.seats);
  const row = (who, commitment) => h('tr', {}, h('th', { scope: 'row' }, who), h('td', {}, h('code', { class: 'hash' }, commitment)));
  const state = (letter) => {
    if (shown.includes(letter)) return 'has shuffled';
    if (all) return `has not shown their share since ${clock(since)}`;
    return told[letter] ? 'has shuffled' : 'has not shuffled yet';
  };
  const waits = letters.filter((letter) => !shown.includes(letter));
  const others = waits.filter((letter) => letter !== seat).join(', ');
  const until = clock(new Date(Date.parse(since) + patience * 1000).toISOString());
  const nameOf = (letter) => {
    const { name } = view.seats[letter];
    return name === letter ? '' : h('bdi', {}, name);
  };
  const input = h('input', {
    id: 'elsewhere', 'data-key': 'elsewhere', autocomplete: 'off', spellcheck: 'false', maxlength: '64',
    'aria-label': all ? 'The share' : 'The commitment', placeholder: all ? 'the share: 64 digits' : 'the commitment: 64 digits',
  });
  return h('section', { class: 'shares' }, h('h2', {}, lines.length ? `Shuffling together, round ${lines.length + 1}` : 'Shuffling together'),
    lines.map((line) => h('p', { class: 'note' }, line)),
    h('ul', { class: 'decks' }, letters.map((letter) => h('li', {}, h('p', { class: 'row' },
      h('b', {}, 'Seat ', letter, letter === seat ? ' (you)' : ''), nameOf(letter), h('span', { class: 'quiet' }, state(letter)))))),
    plays && !told[seat] ? h('button', {
      type: 'button', class: 'primary', 'data-key': 'share', onclick: async () => act({ share: { commit: await fresh(id, seat) } }),
    }, 'Shuffle') : null,
    plays && told[seat] && !all ? h('p', { class: 'note', role: 'status' }, 'You have shuffled. The cards are dealt when all have; keep this page open.') : null,
    all ? h('p', { class: 'note', role: 'status' }, `All have shuffled. Waits for the share of seat ${waits.join(', ')}, whose page must be open in the browser that made it.`) : null,
    h('details', {}, h('summary', {}, 'How nobody can choose the deal'),
      h('p', {}, 'Every shuffle and every die follows from a seed. Each seat brings a share of it, and commits to it before any is shown, so that nobody can try many until the deal suits. The machine brings one, too, that no player sees, so that nobody can deal the match at home. After the game all shares are shown, and this page compares them with these commitments.'),
      h('table', {}, h('tbody', {}, row('The machine', machine), letters.filter((letter) => told[letter]).map((letter) => row(`Seat ${letter}`, told[letter]))))),
    plays && !shown.includes(seat) ? h('details', {}, h('summary', {}, 'Made elsewhere'),
      h('p', {}, 'This page came from the server. Who does not trust it to make a share runs ', h('code', {}, 'decklaw match share commit'), ' on a machine of their own, brings the commitment, and when all have committed the share.'),
      h('form', {
        class: 'row', onsubmit: (event) => {
          event.preventDefault();
          act({ share: all ? { show: input.value } : { commit: input.value } });
        },
      }, input, h('button', { 'data-key': 'bring' }, all ? 'Show the share' : 'Commit'))) : null,
    plays && all ? h('p', {}, 'A share that is lost cannot be left out: whoever may do that chooses between two deals. All bring new ones instead, and the table is told, now and at the end, who had not shown theirs.',
      others ? ` Until ${until} all are asked; from then on seat ${others} is not.` : '') : null,
    plays && all ? h('button', { type: 'button', 'data-key': 'anew', onclick: () => act({ share: 'anew' }) }, 'A share was lost: all bring new ones') : null);
}
