// The way to the server: questions, what is done until there is an answer, and when something changes.
import { Problem } from './problem.js';

/** Statuses of HTTP that may be others in a while. */
const BUSY = [408, 429, 502, 503, 504];

/**
 * Asks the server, or with a body tells it.
 * @param {string} path @param {unknown} [body] what is sent as JSON @param {RequestInit} [about] how else it is sent
 * @returns {Promise<any>} its reply; `null`: an empty one
 * @throws {Problem} with the `status` and the whole `reply`
 */
export async function request(path, body, about = {}) {
  const sent = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { ...sent, ...about }).catch(() => null);
  if (!response) throw new Problem({ kind: 'offline', message: 'The server does not answer.' });
  if (response.status === 204) return null;
  const strange = { kind: 'defect', message: response.status === 403 ? 'Open your link to this page again.' : 'The server does not answer as it should.' };
  const reply = await response.json().catch(() => strange);
  if (response.ok && reply !== strange) return reply;
  const problem = new Problem(BUSY.includes(response.status) ? { ...reply, kind: 'busy' } : reply);
  throw Object.assign(problem, { status: response.status, reply });
}

const wait = (milliseconds) => new Promise((over) => { setTimeout(over, milliseconds); });

/** Sends what was done until there is an answer. @param {() => unknown} body @param {(is: boolean) => void} unanswered says whether it is sent again */
export async function insist(path, body, unanswered) {
  for (let tries = 0; ; tries += 1) {
    try {
      const reply = await request(path, body());
      unanswered(false);
      return reply;
    } catch (error) {
      unanswered(error.passes === true);
      if (!error.passes) throw error;
      await wait(Math.min(500 * 2 ** tries, 8000));
    }
  }
}

/** Calls `changed` with the number of the state, at once and whenever it changes. @param {string} path */
export function listen(path, changed, lost = (is) => is) {
  const changes = new EventSource(path);
  changes.addEventListener('changed', (event) => { lost(false); changed(Number(event.data)); });
  changes.addEventListener('error', () => {
    lost(true);
    // A browser connects again by itself, but not after every kind of end.
    if (changes.readyState === EventSource.CLOSED) wait(2000).then(() => listen(path, changed, lost));
  });
}
