// The way to the engine on a published page: workers of this browser. It has the exports of `carrier.js`.
import { Problem } from './problem.js';

const { game, engine, worker } = globalThis.decklaw;

export const serves = false;

const base = location.href.split('#')[0];
export const home = base;
export const caution = location.protocol === 'file:' ? 'This page lies on a disk, where nobody else finds it. What stands behind the # is the deck: it opens at the same page anywhere, and in decklaw.' : '';
export const address = (format) => `${base}#f=${format}&`;
export const pictureOf = ({ picture }) => `pictures/${encodeURIComponent(picture.file)}`;

/** How long the page waits for what takes its time. */
const PATIENCE = 60000;

const problem = (kind, message, help = '') => ({ kind, message, help });

/** A worker with an engine in it, which answers one question after another. */
class Lane {
  /** @param {() => Promise<any>} source what the engine is made of */
  constructor(source) {
    this.source = source;
    this.open = new Map();
    this.last = 0;
    this.clock = 0;
    this.started = null;
  }

  async start() {
    const url = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
    const made = new Worker(url);
    made.onmessage = ({ data: { id, told, module } }) => {
      // Where there is none, each question is told why.
      if (module === undefined) this.end(id, told);
      else this.compiled?.(module);
    };
    made.onerror = () => this.over(problem('defect', 'The engine of this page stopped.', 'Load the page again; the deck is kept.'));
    made.postMessage({ engine: await this.source(), game });
    URL.revokeObjectURL(url);
    return made;
  }

  end(id, told) {
    this.open.get(id)?.(told);
    this.open.delete(id);
    clearTimeout(this.clock);
    this.clock = 0;
    this.watch();
  }

  /** Ends the worker, and what was asked of it. */
  async over(told) {
    const { started, open } = this;
    this.started = null;
    this.open = new Map();
    for (const answer of open.values()) answer(told);
    (await started)?.terminate();
  }

  watch() {
    if (!this.open.size || this.clock) return;
    this.clock = setTimeout(() => {
      this.clock = 0;
      this.over(problem('limit', 'This takes more time than is given to one question here, so there is no answer.', 'Ask for less at once; `decklaw` at a command line has no such limit.'));
    }, PATIENCE);
  }

  /** @param {any} question @returns {Promise<any>} */
  async ask(question) {
    this.started ??= this.start();
    let made;
    try {
      made = await this.started;
    } catch (error) {
      this.started = null;
      return problem('defect', `The engine of this page does not start: ${error.message}`);
    }
    const now = new Date();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    return new Promise((answer) => {
      const id = ++this.last;
      this.open.set(id, answer);
      this.watch();
      made.postMessage({ id, question, day });
    });
  }
}

// The first engine is compiled once, and the second one is made of the same.
const quick = new Lane(async () => engine);
const module = new Promise((known) => { quick.compiled = known; });
const slow = new Lane(() => module);

/** @param {Lane} lane @param {any} question */
async function engineSays(lane, question) {
  const told = await lane.ask(question);
  const wrong = told.kind !== undefined && told.message !== undefined;
  return { status: !wrong ? 200 : told.kind === 'defect' ? 500 : 422, told };
}

/** Questions that take their time. */
const SLOW = ['odds', 'fix', 'build', 'tune', 'room', 'swap', 'write'];

/** Asks the engine. @param {any} question @returns {Promise<any>} @throws {Problem} */
export async function ask(question) {
  const told = await (SLOW.includes(question.ask) || question.odds?.length ? slow : quick).ask(question);
  if (told.kind !== undefined && told.message !== undefined) throw new Problem(told);
  return told;
}

/** A published page edits no file. */
export const file = null;

/** The address of a card's picture. @param {{picture: {file: string}}} face */
export const picture = ({ picture: { file: name } }) => `pictures/${encodeURIComponent(name)}`;

/** What the browser keeps for this game: decks with their states, and what its player owns. */
const kept = new Promise((opened, failed) => {
  const request = indexedDB.open(`decklaw-${game.game}`, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('decks', { keyPath: 'id' });
    request.result.createObjectStore('owned');
  };
  request.onsuccess = () => opened(request.result);
  request.onerror = () => failed(request.error);
});
kept.catch(() => { /* said where something is to be kept */ });

/** The most states of a deck that are kept, beside those that have a name. */
const STATES = 100;

/**
 * Does something with one store, and waits until that is kept.
 * @template T @param {'decks' | 'owned'} name @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore, set: (result: T) => void) => void} work @returns {Promise<T>}
 */
async function inStore(name, mode, work) {
  const transaction = (await kept).transaction(name, mode);
  let result;
  return new Promise((done, failed) => {
    transaction.oncomplete = () => done(result);
    transaction.onabort = () => failed(transaction.error);
    work(transaction.objectStore(name), (value) => { result = value; });
  });
}

const got = (request, then) => { request.onsuccess = () => then(request.result); };

const owned = async () => await inStore('owned', 'readonly', (store, set) => got(store.get('cards'), set)) ?? {};

const none = { status: 404, told: { message: 'This browser does not keep this deck.' } };

/** The decks that this browser keeps. */
const decks = {
  list: () => inStore('decks', 'readonly', (store, set) => got(store.getAll(), (all) => set({ status: 200,
    told: all.sort((one, other) => other.at - one.at).map(({ id, format, deck, at }) => ({ id, format, name: deck.name || 'Unnamed deck', at })) }))),
  one: (id, tell) => inStore('decks', 'readonly', (store, set) => got(store.get(id), (found) => set(found ? { status: 200, told: tell(found) } : none))),
  make: ({ format, deck }, form) => inStore('decks', 'readwrite', (store, set) => got(store.get(form), (found) => {
    if (!found) store.put({ id: form, format, deck, rev: 1, at: Date.now(), states: [{ rev: 1, note: '', at: Date.now(), deck }] });
    set({ status: 200, told: { id: form, rev: found?.rev ?? 1 } });
  })),
  save: (id, { rev, deck, note = '' }) => inStore('decks', 'readwrite', (store, set) => got(store.get(id), (found) => {
    if (!found) return set(none);
    if (found.rev !== rev) return set({ status: 409, told: { message: 'This deck was changed somewhere else meanwhile.', rev: found.rev, deck: found.deck } });
    const next = { rev: rev + 1, note, at: Date.now(), deck };
    const states = [next, ...found.states];
    let left = STATES;
    store.put({ ...found, ...next, states: states.filter((state) => state.note || left-- > 0) });
    set({ status: 200, told: { rev: rev + 1 } });
  })),
  forget: (id) => inStore('decks', 'readwrite', (store, set) => { store.delete(id); set({ status: 200, told: { deleted: true } }); }),
};

async function answered(method, path, body, form) {
  const [where, search] = path.split('?');
  const [, , what, ...rest] = where.split('/').map(decodeURIComponent);
  switch (what) {
    case 'ask': {
      const lane = SLOW.includes(body.ask) || body.odds ? slow : quick;
      return engineSays(lane, search ? { ...body, own: await owned() } : body);
    }
    case 'collection': {
      const { status, told } = await engineSays(quick, { ask: 'cards', format: body.format, collection: body.table });
      if (status !== 200) return { status, told };
      const { owned: cards, unknown } = told;
      await inStore('owned', 'readwrite', (store) => { store.put(cards, 'cards'); });
      return { status, told: { cards: Object.keys(cards).length, copies: Object.values(cards).reduce((sum, copies) => sum + copies, 0), unknown } };
    }
    case 'drafts': {
      const [id, part] = rest;
      if (part === 'versions') return decks.one(id, ({ states }) => states);
      if (method === 'DELETE') return decks.forget(id);
      if (method === 'PUT') return decks.save(id, body);
      if (method === 'POST') return decks.make(body, form);
      return id ? decks.one(id, ({ format: of, rev, deck }) => ({ format: of, rev, deck })) : decks.list();
    }
    default: return { status: 404, told: { message: 'A page without a server does not have this.' } };
  }
}

export async function send(method, path, body, form) {
  try {
    return await answered(method, path, body, form);
  } catch (error) {
    return { status: 507, told: { message: `This browser keeps nothing for this page (${error?.message ?? error}).`, help: 'A link under Share and a file under Export hold the deck.' } };
  }
}

/** What a sheet is written as, for a browser. */
const MEDIA = { json: 'application/json', csv: 'text/csv', sheet: 'text/html', cod: 'application/xml' };

export async function written(kind, asked) {
  const { status, told } = await engineSays(slow, { ask: 'write', ...asked, to_format: kind });
  if (status !== 200) throw new Error([told.message, told.help].filter(Boolean).join(' '));
  const bytes = Uint8Array.from(atob(told.bytes), (letter) => letter.charCodeAt(0));
  return { file: new Blob([bytes], { type: `${MEDIA[kind] ?? 'text/plain'};charset=utf-8` }), remarks: told.notes };
}

export async function print(kind, asked) {
  // A window that is opened later than the click is held back by the browser.
  const sheet = window.open('', '_blank');
  const { file } = await written(kind, asked);
  const text = await file.text();
  if (!sheet) return;
  sheet.document.open();
  sheet.document.write(text);
  sheet.document.close();
}
