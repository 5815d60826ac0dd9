// The deck that is built: its cards, what was done to it, and where it is stored.
import { file } from './carrier.js';
import * as decks from './decks.js';
import { plain } from './links.js';

/** @typedef {import('./links.js').DeckJson} DeckJson */

/** How long a change waits to be stored, in milliseconds. */
const REST = 350;
/** The most steps of undo, and of those that a reload leaves. */
const STEPS = 500, REMEMBERED = 60;

/** A deck of a section's lines with other counts. @param {DeckJson} deck @param {{section: string, card: string, to: number}[]} changes */
function changed(deck, changes) {
  const sections = { ...deck.sections };
  for (const { section, card, to } of changes) {
    const lines = [...(sections[section] ?? [])], at = lines.findIndex((line) => line.name === card);
    if (at >= 0 && to > 0) lines[at] = { ...lines[at], count: to };
    else if (at >= 0) lines.splice(at, 1);
    else if (to > 0) lines.push({ count: to, name: card });
    sections[section] = lines;
  }
  return { ...deck, sections };
}

/** A deck after a fix: its names corrected, then its copies changed. @param {DeckJson} deck @param {{renamed?: {from: string, to: string}[], changes: any[]}} fix */
export function fixed(deck, { renamed = [], changes }) {
  const count = (lines, name) => lines.find((line) => line.name === name)?.count ?? 0;
  const rename = (now, { from, to }) => changed(now, Object.entries(now.sections).flatMap(([section, lines]) => {
    const copies = count(lines, from);
    return copies ? [{ section, card: from, to: 0 }, { section, card: to, to: copies + count(lines, to) }] : [];
  }));
  return changed(renamed.reduce(rename, deck), changes);
}

export class Deck {
  #past = []; #future = []; #watchers = new Set(); #timer = 0; #saving = false;
  /** What is stored. @type {?DeckJson} */ #stored = null;

  /** @param {DeckJson} deck @param {?{id: string, rev: any}} place where it is stored; the id `file` is the file of `decklaw edit` */
  constructor(deck, place = null) {
    this.now = deck;
    this.place = place;
    /** Somebody else's deck becomes one's own with the first change. */
    this.lent = false;
    /** Another version, stored in between. @type {?{rev: any, deck: ?DeckJson}} */
    this.conflict = null;
    /** Why it is not stored; empty: it is, or will be soon. */
    this.trouble = '';
    /** What the reader of its file left out or could not be sure of. @type {{code: string, message: string, cards: string[]}[]} */
    this.notes = [];
    if (place) this.#stored = deck;
    this.#recall();
  }

  get isStored() { return this.place !== null && this.#stored === this.now; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }
  /** Whether there is no card in it. */
  get isEmpty() { return Object.values(this.now.sections).every((lines) => !lines.length); }

  /** Tells those who watch that something about it is shown otherwise. */
  touch() { this.#notify('state'); }
  /** Calls `watch` after each change of the deck (`what` is `deck`) or of how it is stored (`state`). @param {(what: string) => void} watch */
  watch(watch) { this.#watchers.add(watch); }
  #notify(what) { for (const watch of this.#watchers) watch(what); }

  count(name, section) { return this.now.sections[section]?.find((line) => line.name === name)?.count ?? 0; }
  total(section) { return (this.now.sections[section] ?? []).reduce((sum, line) => sum + line.count, 0); }
  lines(section) { return this.now.sections[section] ?? []; }
  /** The names of all its cards. */
  get names() { return [...new Set(Object.values(this.now.sections).flat().map((line) => line.name))]; }

  #become(next) {
    this.now = next;
    this.lent = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), REST);
    this.#notify('deck');
  }

  /** Makes another deck of it, as one step of history. @param {DeckJson} next */
  replace(next) {
    if (JSON.stringify(next) === JSON.stringify(this.now)) return;
    this.#past.push(this.now);
    if (this.#past.length > STEPS) this.#past.shift();
    this.#future = [];
    this.#become(next);
  }
  /** @param {{section: string, card: string, to: number}[]} changes */
  apply(changes) { this.replace(changed(this.now, changes)); }
  /** @param {Record<string, any>} headers such as `name` or `settings`; `undefined` takes one out */
  head(headers) {
    const next = { ...this.now, ...headers };
    for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key];
    this.replace(next);
  }
  /** What was done survives a reload, as long as the deck is still the same. */
  get #key() { return `decklaw/undo/${this.place?.id ?? ''}`; }
  #recall() {
    try {
      const { now, past, future } = JSON.parse(sessionStorage.getItem(this.#key) ?? 'null') ?? {};
      if (this.place && now === JSON.stringify(this.now)) { this.#past = past; this.#future = future; }
    } catch { /* nothing is remembered */ }
  }
  #remember() {
    try { if (this.place) sessionStorage.setItem(this.#key, JSON.stringify({ now: JSON.stringify(this.now), past: this.#past.slice(-REMEMBERED), future: this.#future.slice(-REMEMBERED) })); } catch { /* there is no room */ }
  }
  undo() { this.#step(this.#past, this.#future); }
  redo() { this.#step(this.#future, this.#past); }
  #step(from, to) {
    if (!from.length) return;
    to.push(this.now);
    this.#become(from.pop());
  }

  /** Stores the deck; a version with a note is kept for good. */
  async save(note = '') {
    if (this.conflict || this.#saving) return;
    this.#saving = true;
    const deck = this.now;
    try {
      if (this.place === null) this.place = await decks.create({ format: deck.format, deck });
      if (this.place.id === 'file') this.place.rev = (await file.save({ rev: this.place.rev, deck })).rev;
      else if (note || this.#stored !== null) this.place.rev = (await decks.save(this.place.id, { rev: this.place.rev, deck, note })).rev;
      this.#stored = deck;
      this.trouble = '';
      this.#remember();
    } catch (error) {
      if (error.conflict) this.conflict = { rev: error.conflict.rev, deck: error.conflict.deck && plain(error.conflict.deck) };
      else { this.trouble = error.message; this.#timer = setTimeout(() => this.save(note), 3000); }
    }
    this.#saving = false;
    if (!this.conflict && !this.trouble && this.now !== deck) this.save();
    this.#notify('state');
  }

  /** Ends a conflict with this deck over the other, or with the other. Both stay in the versions or in undo. @param {boolean} mine */
  settle(mine) {
    const { rev, deck } = this.conflict;
    this.conflict = null;
    this.place.rev = rev;
    if (mine || !deck) return this.save();
    this.#past.push(this.now);
    this.take(deck, rev);
  }
  /** Another tab stored this version. */
  take(deck, rev) {
    this.now = deck;
    this.#stored = deck;
    this.place.rev = rev;
    this.#notify('deck');
  }
}
