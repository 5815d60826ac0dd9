// The decks of this browser, with their earlier versions, and the cards that its user owns. Served and
// published pages use the same database; nothing of it leaves the browser.
//
// `rev` counts the versions of a deck. Who saves says which version was changed: where another tab saved
// in between, nothing is overwritten.

/** @typedef {import('./links.js').DeckJson} DeckJson */
/** @typedef {{id: string, format: string, rev: number, at: number, deck: DeckJson}} StoredDeck */

/** The most versions of a deck that are kept, besides those with a note. */
const VERSIONS = 100;

/** Why nothing is stored, for people. */
const refusal = (why) => new Error(`This browser stores no decks (${why?.message ?? why}). Use Share for a link, or Export for a file.`);

let database;
/** The database; one that was closed is opened again. @returns {Promise<IDBDatabase>} */
function opened() {
  database ??= new Promise((done, failed) => {
    const request = indexedDB.open('decklaw', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('decks', { keyPath: 'id' });
      request.result.createObjectStore('versions', { keyPath: ['id', 'rev'] });
      request.result.createObjectStore('owned');
    };
    request.onsuccess = () => {
      const closed = () => { database = null; };
      request.result.onclose = closed;
      request.result.onversionchange = () => { request.result.close(); closed(); };
      done(request.result);
    };
    request.onerror = () => failed(request.error);
  }).catch((error) => { database = null; throw error; });
  return database;
}

/**
 * Runs `work` in one transaction and waits until its result is stored.
 * @template T @param {string[]} stores @param {IDBTransactionMode} mode
 * @param {(stores: IDBObjectStore[], set: (result: T) => void) => void} work @returns {Promise<T>}
 */
async function transact(stores, mode, work) {
  let refused = null;
  try {
    const transaction = (await opened()).transaction(stores, mode);
    return await new Promise((done, failed) => {
      let result;
      transaction.oncomplete = () => (refused ? failed(refused) : done(result));
      transaction.onabort = () => failed(transaction.error);
      work(stores.map((name) => transaction.objectStore(name)), (value) => { result = value; }, (error) => { refused = error; });
    });
  } catch (error) {
    throw error === refused ? error : refusal(error);
  }
}

const then = (request, use) => { request.onsuccess = () => use(request.result); };
/** All versions of a deck. */
const versionsOf = (id) => IDBKeyRange.bound([id], [id, []]);

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('decklaw') : null;
const notify = (change) => channel?.postMessage(change);

/**
 * Calls `changed` when another tab changes something: `{id}` is a deck, `{owned}` a game.
 * @param {(change: {id?: string, rev?: number, owned?: string}) => void} changed
 */
export function watch(changed) {
  channel?.addEventListener('message', ({ data }) => changed(data));
}

/** All decks, the newest first. @returns {Promise<(StoredDeck & {name: string})[]>} */
export const list = () => transact(['decks'], 'readonly', ([decks], set) => then(decks.getAll(), (all) => set(all
  .sort((one, other) => other.at - one.at).map((stored) => ({ ...stored, name: stored.deck.name || 'Unnamed deck' })))));

/** A deck; `undefined`: this browser has none of this id. @param {string} id @returns {Promise<StoredDeck | undefined>} */
export const open = (id) => transact(['decks'], 'readonly', ([decks], set) => then(decks.get(id), set));

/** Stores a new deck. @param {{format: string, deck: DeckJson}} made @returns {Promise<{id: string, rev: number}>} */
export async function create({ format, deck }) {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte & 31]).join('');
  await transact(['decks', 'versions'], 'readwrite', ([decks, versions]) => {
    const at = Date.now();
    decks.put({ id, format, rev: 1, at, deck });
    versions.put({ id, rev: 1, note: '', at, deck });
  });
  notify({ id, rev: 1 });
  return { id, rev: 1 };
}

/**
 * Stores the next version of a deck. A deck that another tab deleted is stored again.
 * @param {string} id @param {{rev: number, deck: DeckJson, note?: string}} next `rev`: the version that was changed
 * @returns {Promise<{rev: number}>}
 * @throws {{conflict: {rev: number, deck: DeckJson}}} another version was stored in between
 */
export async function save(id, { rev: of, deck, note = '' }) {
  const stored = await transact(['decks', 'versions'], 'readwrite', ([decks, versions], set, refuse) => then(decks.get(id), (found) => {
    if (found && found.rev !== of) {
      return refuse(Object.assign(new Error('Another tab changed this deck.'), { conflict: { rev: found.rev, deck: found.deck } }));
    }
    const rev = of + 1;
    const at = Date.now();
    decks.put({ id, format: deck.format ?? found?.format, rev, at, deck });
    versions.put({ id, rev, note, at, deck });
    if (rev > VERSIONS) {
      then(versions.get([id, rev - VERSIONS]), (old) => { if (old && !old.note) versions.delete([id, old.rev]); });
    }
    set({ rev });
  }));
  notify({ id, rev: stored.rev });
  return stored;
}

/** Every version of a deck, the newest first. @param {string} id @returns {Promise<{rev: number, note: string, at: number, deck: DeckJson}[]>} */
export const versions = (id) => transact(['versions'], 'readonly', ([store], set) => then(store.getAll(versionsOf(id)), (all) => set(all.reverse())));

/** Deletes a deck with its versions. @param {string} id */
export async function forget(id) {
  await transact(['decks', 'versions'], 'readwrite', ([decks, versions]) => {
    decks.delete(id);
    versions.delete(versionsOf(id));
  });
  notify({ id });
}

/** The copies that the user owns of a game's cards, by folded name; `undefined`: never said. @param {string} game */
export const owned = (game) => transact(['owned'], 'readonly', ([store], set) => then(store.get(game), set));

export async function own(game, cards) {
  await transact(['owned'], 'readwrite', ([store]) => { store.put(cards, game); });
  notify({ owned: game });
}
