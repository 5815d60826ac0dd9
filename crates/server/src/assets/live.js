// A page's own connection to its table: what is done until there is an answer, and when something changes.
import { request } from './http.js';

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
