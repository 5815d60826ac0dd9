// What this browser remembers besides decks: views, names, its tables, and what it brought to a deal.

/** What is remembered; a browser that keeps nothing remembers nothing. @returns {any} */
export function read(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(key) ?? 'null') ?? otherwise; } catch { return otherwise; }
}
export function write(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* see above */ }
}

const TABLES = 'decklaw-tables';
const MOST = 60;

/** @typedef {{path: string, title: string, format: string, state: string, at: number}} KnownTable */

/** Every table, the newest first. @returns {KnownTable[]} */
export const tables = () => read(TABLES, []);
/** Remembers a table, or what it is at by now. @param {Omit<KnownTable, 'at'>} table */
export const remember = (table) => write(TABLES, [{ ...table, at: Date.now() }, ...tables().filter((known) => known.path !== table.path)].slice(0, MOST));
export const forget = (path) => write(TABLES, tables().filter((known) => known.path !== path));

const deal = (path) => `decklaw-deal-${path}`;
/** The SHA-256 of the server's secret that this browser was shown before a deal, and the bytes that it brought. @returns {{secret: string, brought: string} | null} */
export const dealt = (path) => read(deal(path), null);
export const bring = (path, own) => write(deal(path), own);
