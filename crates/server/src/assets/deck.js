// The deck that is built: what it holds, what was done to it, where it is kept.
import { ask, chance, later, passes, Refused } from './api.js';
import { address } from './carrier.js';

/** @typedef {{count: number, name: string}} Line */
/** @typedef {{format: string, sections: Record<string, Line[]>, [header: string]: any}} DeckJson */

/** A deck of the server as lines of counts and names. @param {any} deck @returns {DeckJson} */
export function plain(deck) {
  const sections = {};
  for (const [id, cards] of Object.entries(deck.sections ?? {})) {
    sections[id] = cards.map((card) => {
      if (typeof card !== 'string') return { count: card.count, name: card.name };
      const [, count, name] = /^(\d+)\s*[x×]?\s+(.*)$/s.exec(card) ?? [0, '1', card];
      return { count: Number(count), name };
    });
  }
  return { ...deck, sections };
}

const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/** No deck is larger. */
const LARGEST = 1 << 24;

/** A deck as the end of an address, as `deck/link.rs` of the library has it. @param {DeckJson} deck */
export async function packed(deck) {
  const stream = new Blob([JSON.stringify(deck)]).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = await bytesOf(stream);
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} text @returns {Promise<DeckJson>} */
export async function unpacked(text) {
  let size = 0;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const bounded = new TransformStream({ transform(part, next) {
      size += part.length;
      if (size > LARGEST) next.error(new Error()); else next.enqueue(part);
    } });
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).pipeThrough(bounded);
    return plain(JSON.parse(new TextDecoder().decode(await bytesOf(stream))));
  } catch {
    throw new Error('The deck in this link cannot be read: the link was cut off or altered. Copy the whole link again where the deck was shared.');
  }
}

export class Deck {
  /** @param {DeckJson} deck @param {() => void} changed */
  constructor(deck, changed) {
    this.now = deck;
    this.changed = changed;
    this.past = [];
    this.future = [];
    /** Where it is kept: a draft's id, or the file that is edited. */
    this.place = null;
    /** What tells its first saving from that of other decks. */
    this.form = chance();
    this.rev = null;
    /** The deck that the server keeps; `null`: what it keeps is not known. @type {?DeckJson} */
    this.kept = null;
    /** What was sent and had no answer: the server may keep any of it. @type {Set<DeckJson>} */
    this.sent = new Set();
    /** `saved`, `saving`, `unsaved`, or what is wrong. */
    this.state = 'saved';
    this.conflict = null;
    this.timer = 0;
    /** Which failure is tried again. */
    this.turn = 0;
  }

  /** Whether the server keeps the deck as it is. */
  get saved() { return this.place !== null && this.kept === this.now; }

  /** @param {string} section @param {string} name */
  count(section, name) {
    return this.now.sections[section]?.find((line) => line.name === name)?.count ?? 0;
  }

  total(section) {
    return (this.now.sections[section] ?? []).reduce((sum, line) => sum + line.count, 0);
  }

  /** Does something to a copy, which becomes the deck. @param {(deck: DeckJson) => void} change */
  edit(change) {
    const next = structuredClone(this.now);
    change(next);
    if (JSON.stringify(next) === JSON.stringify(this.now)) return;
    this.past.push(this.now);
    if (this.past.length > 500) this.past.shift();
    this.future = [];
    this.now = next;
    this.touched();
  }

  /** @param {string} section @param {string} name @param {number} count */
  set(section, name, count) {
    this.edit((deck) => put(deck, section, name, count));
  }

  add(section, name, by) {
    this.set(section, name, Math.max(0, this.count(section, name) + by));
  }

  move(from, to, name, count) {
    this.edit((deck) => {
      const held = (id) => deck.sections[id]?.find((line) => line.name === name)?.count ?? 0;
      const moved = Math.min(count, held(from));
      put(deck, to, name, held(to) + moved);
      put(deck, from, name, held(from) - moved);
    });
  }

  /** @param {{section: string, card: string, to: number}[]} changes */
  apply(changes) {
    this.edit((deck) => changes.forEach((one) => put(deck, one.section, one.card, one.to)));
  }

  /** Gives a setting that is an organiser's to give; nothing leaves it to the server. @param {string} name @param {?string} value */
  give(name, value) {
    this.edit((deck) => among(deck, name, value));
  }

  undo() { this.step(this.past, this.future); }
  redo() { this.step(this.future, this.past); }
  step(from, to) {
    const next = from.pop();
    if (!next) return;
    to.push(this.now);
    this.now = next;
    this.touched();
  }

  touched() {
    this.state = 'unsaved';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), 350);
    this.changed();
  }

  path() {
    return this.place === 'file' ? '/api/file' : `/api/drafts/${this.place}`;
  }

  /** Keeps the deck. @param {string} [note] */
  async save(note = '') {
    if (this.conflict) return;
    if (this.saving) { this.again = true; return; }
    this.saving = true;
    const sent = this.now;
    this.kept = null;
    this.sent.add(sent);
    this.state = 'saving';
    try {
      if (this.place === null) {
        const made = await ask('POST', '/api/drafts', { format: sent.format, deck: sent }, this.form);
        this.place = made.id;
        this.rev = made.rev;
        if (note) this.rev = (await ask('PUT', this.path(), { rev: this.rev, deck: sent, note })).rev;
      } else {
        this.rev = (await ask('PUT', this.path(), { rev: this.rev, deck: sent, note })).rev;
      }
      this.keeps(sent);
      if (this.place !== 'file') history.replaceState(null, '', `${address(sent.format)}d=${this.place}&z=${await packed(sent)}`);
    } catch (error) {
      this.state = `Not saved. ${error.message}`;
      if (error instanceof Refused && error.status === 409 && error.told.rev !== undefined) {
        const { rev, deck } = error.told;
        const known = deck && [...this.sent].find((one) => ordered(plain(deck)) === ordered(one));
        if (known) {
          // It was kept, and the answer that said so was lost on its way.
          this.rev = rev;
          this.keeps(known);
        } else {
          this.conflict = { rev, deck: deck ? plain(deck) : null };
        }
      } else {
        if (passes(error)) this.state += ' The deck stays in this page, and is saved once it answers.';
        const mine = ++this.turn;
        later(3000).then(() => { if (mine === this.turn && !this.saved && !this.conflict) this.save(note); });
      }
    }
    this.saving = false;
    if (this.again || (this.state === 'unsaved' && !this.conflict)) { this.again = false; this.save(); }
    this.changed('state');
  }

  /** The server said what it keeps. @param {DeckJson} deck */
  keeps(deck) {
    this.kept = deck;
    this.sent.clear();
    this.state = this.now === deck ? 'saved' : 'unsaved';
  }

  /** Ends a conflict: with the other's deck, or with this one over it. Both states are kept. */
  async settle(mine) {
    const { rev, deck } = this.conflict;
    this.conflict = null;
    this.rev = rev;
    if (mine || !deck) return this.save();
    this.past.push(this.now);
    this.now = deck;
    this.keeps(deck);
    this.changed();
  }
}

/** A value as JSON with the names of each object in order. */
function ordered(value) {
  return JSON.stringify(value, (_, one) => (one && typeof one === 'object' && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one));
}

/** Puts a value among the deck's settings, or takes it out. */
function among(deck, name, value) {
  const all = { ...deck.settings };
  if (value) all[name] = value; else delete all[name];
  if (Object.keys(all).length) deck.settings = all; else delete deck.settings;
}

/** The settings by which a deck is judged, in words. @param {?DeckJson} deck */
export const given = (deck) => Object.entries(deck?.settings ?? {}).map(([name, value]) => `${name} = ${value}`).join(', ');


function put(deck, section, name, count) {
  const lines = (deck.sections[section] ??= []);
  const at = lines.findIndex((line) => line.name === name);
  if (count <= 0) { if (at >= 0) lines.splice(at, 1); }
  else if (at >= 0) lines[at] = { ...lines[at], count };
  else lines.push({ count, name });
}
