// The tables of this browser: their links, and the name of its player.

const KEY = 'decklaw-tables';
const MOST = 60;

/** What this browser remembers; a browser that keeps nothing remembers nothing. @returns {any} */
export function read(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(key) ?? 'null') ?? otherwise; } catch { return otherwise; }
}
export function write(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* see above */ }
}

/** @typedef {{path: string, title: string, format: string, state: string, at: number}} KnownTable */

/** Every table, the newest first. @returns {KnownTable[]} */
export const list = () => read(KEY, []);

/** Remembers a table, or what it is at by now. @param {Omit<KnownTable, 'at'>} table */
export function remember(table) {
  write(KEY, [{ ...table, at: Date.now() }, ...list().filter((known) => known.path !== table.path)].slice(0, MOST));
}

/** @param {string} path */
export const forget = (path) => write(KEY, list().filter((known) => known.path !== path));
