// A page's own connection to its table: what it asks, what it does, and when something changes.

/** What was refused, with what to do about it. */
export class Refused extends Error {
  /** @param {number} status 0: the server does not answer @param {any} reply */
  constructor(status, reply) {
    const { message, help } = reply ?? {};
    super(message ? [message, help].filter(Boolean).join(' ') : 'The server does not answer.');
    this.status = status;
    this.reply = reply;
  }
}

/** Whether the same may get an answer in a while. @param {unknown} error */
const passes = (error) => error instanceof Refused && [0, 408, 429, 502, 503, 504].includes(error.status);
const wait = (milliseconds) => new Promise((over) => { setTimeout(over, milliseconds); });

/** @param {string} path @param {unknown} [body] what is sent @returns {Promise<any>} */
export async function ask(path, body) {
  const sent = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, { cache: body === undefined ? 'default' : 'no-store', ...sent }).catch(() => null);
  if (!answer) throw new Refused(0, null);
  const reply = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, reply);
  return reply;
}

/** Sends what was done until there is an answer. @param {(is: boolean) => void} unanswered says whether it is sent again */
export async function insist(path, body, unanswered) {
  for (let tries = 0; ; tries += 1) {
    try {
      const reply = await ask(path, typeof body === 'function' ? body() : body);
      unanswered(false);
      return reply;
    } catch (error) {
      if (!passes(error)) { unanswered(false); throw error; }
      unanswered(true);
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
