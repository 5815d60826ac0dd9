// The way to the engine: here the server. A published page has another one with the same exports
// (`published/carrier.js`).
import { Problem } from './problem.js';

/** The first page. */
export const home = '/';
/** Whether decks are played and submitted here. */
export const serves = true;

/** The event that a deck is built for, or that this page is about: its lock answers every question. */
export const event = new URLSearchParams(location.search).get('event') ?? document.body?.dataset.event ?? null;

/** What is to be known of the addresses of this page. */
export const caution = '';

/** The address of the builder of a format, as far as to where a deck is said. @param {string} format */
export const address = (format) => `${location.origin}/deck/${format}${event ? `?event=${encodeURIComponent(event)}` : ''}#`;

/** Statuses of HTTP that may be others in a while. */
const BUSY = [408, 429, 502, 503, 504];

/** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<Response>} */
async function request(method, path, body) {
  const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    return await fetch(path, { method, ...sent });
  } catch {
    throw new Problem({ kind: 'offline', message: 'The server does not answer.' });
  }
}

async function answer(response) {
  const reply = await response.json().catch(() => ({ kind: 'defect', message: 'The server does not answer as it should.' }));
  if (!response.ok) throw new Problem(BUSY.includes(response.status) ? { ...reply, kind: 'busy' } : reply);
  return reply;
}

/** Asks the engine, as `{ask: 'check', format, deck}`. @param {{ask: string}} question @returns {Promise<any>} @throws {Problem} */
export const ask = async (question) => answer(await request('POST', event ? `/api/e/${encodeURIComponent(event)}/ask` : '/api/ask', question));

/** The deck's file behind `decklaw edit FILE`, for the page whose address says `?file`. */
export const file = {
  /** @returns {Promise<{file: string, format: string, deck: any, rev: string}>} */
  read: async () => answer(await request('GET', '/api/file')),
  /**
   * @param {{rev: string, deck: any}} next `rev`: the version that was changed
   * @returns {Promise<{rev: string}>} @throws {{conflict: {rev: string, deck: any}}} the file was changed in between
   */
  save: async (next) => {
    const response = await request('PUT', '/api/file', next);
    if (response.status !== 409) return answer(response);
    const { message, rev, deck } = await response.json();
    throw Object.assign(new Error(message), { conflict: { rev, deck } });
  },
};

/** The address of a card's picture. @param {{name: string, picture: {format: string, file: string}}} face */
export const picture = ({ name, picture: { format } }) => `/api/picture/${format}?name=${encodeURIComponent(name)}`;
