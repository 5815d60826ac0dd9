// The way to the engine: here the server. A published page has another one with the same exports
// (`published/carrier.js`).
import { request } from './http.js';

/** The first page. */
export const home = '/';
/** Whether decks are played and submitted here. */
export const serves = true;

/** The event that a deck is built for, or that this page is about: its lock answers every question. */
export const event = new URLSearchParams(location.search).get('event') ?? document.body?.dataset.event ?? null;

/** Whether the event takes the deck of this page: one that it has published is there to look at. */
export const takes = Boolean(event) && !new URLSearchParams(location.search).has('published');

/** What is to be known of the addresses of this page. */
export const caution = '';

/** The address of the builder of a format, as far as to where a deck is said. @param {string} format */
export const address = (format) => `${location.origin}/deck/${format}${event ? `?event=${encodeURIComponent(event)}` : ''}#`;

/** Asks the engine, as `{ask: 'check', format, deck}`. @param {{ask: string}} question @returns {Promise<any>} @throws {Problem} */
export const ask = (question) => request(question.ask === 'replay' ? '/api/replay' : event ? `/api/e/${encodeURIComponent(event)}/ask` : '/api/ask', question);

/** The deck's file behind `decklaw edit FILE`, for the page whose address says `?file`. */
export const file = {
  /** @returns {Promise<{file: string, format: string, deck: any, rev: string}>} */
  read: () => request('/api/file'),
  /**
   * @param {{rev: string, deck: any}} next `rev`: the version that was changed
   * @returns {Promise<{rev: string}>} @throws {{conflict: {rev: string, deck: any}}} the file was changed in between
   */
  save: (next) => request('/api/file', next, { method: 'PUT' }).catch((error) => {
    throw error.status === 409 ? Object.assign(error, { conflict: error.reply }) : error;
  }),
};

/** The address of a card's picture. @param {{name: string, picture: {format: string, file: string}}} face */
export const picture = ({ name, picture: { format } }) => `/api/picture/${format}?name=${encodeURIComponent(name)}`;
