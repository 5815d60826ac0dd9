// What the organiser's modules share: the way to the event, its times and its words.
import { copier, h } from './dom.js';
import { VERDICTS, verdict } from './findings.js';
import { request } from './http.js';
import { read } from './memory.js';

export const EVENT = document.body.dataset.event, BASE = `/e/${EVENT}/desk`, FORMAT = document.body.dataset.format;
/** Where players reach this server, which need not be the address of this page. */
export const ORIGIN = document.body.dataset.origin || location.origin;
export const WORDS = { ...VERDICTS, asked: 'Question', late: 'Late', missing: 'Missing', out: 'Excluded', withdrawn: 'Withdrawn', unlisted: 'Not on the list' };
/** The name under which this organiser decides. */
export const NAME = 'decklaw-name', me = () => read(NAME, '').trim();

/** Asks the server, or tells it, once however often it is sent. */
export const send = (path, body, kind = 'application/json') => request(BASE + path, undefined, body === undefined ? {}
  : { method: 'POST', body, headers: { 'content-type': kind, 'x-decklaw-form': crypto.getRandomValues(new Uint32Array(4)).join('-') } });
export const act = (what, body) => send('/do', JSON.stringify({ do: what, by: me(), ...body }));

const format = (options) => (local) => (local ? new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(new Date(`${local}Z`)) : '');
/** A time as clocks at the event show it; it comes without a zone. */
export const time = format({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
export const clock = format({ hour: '2-digit', minute: '2-digit' });
export const day = format({ weekday: 'long', day: 'numeric', month: 'long' });
export const ago = (at) => {
  if (!at) return '';
  const minutes = Math.max(0, Math.round((Date.now() - new Date(at)) / 60000));
  return minutes < 60 ? `${minutes} min ago` : minutes < 1440 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} d ago`;
};

export const badge = (word) => verdict({ asked: 'question', out: 'missing', withdrawn: 'missing' }[word] ?? word, WORDS[word]);
/** An error, for its place on the page. */
export const problem = (error) => h('p', { class: 'message' }, error.message);
/** What a row is counted as: its status, or the verdict of the deck that counts. */
export const stateOf = (row) => (row.status === 'counts' ? row.verdict : row.status);
/** An address with a button that copies it. */
export const linkOf = (address) => h('span', { class: 'acts linkbox' }, h('code', {}, address), copier(() => address));
