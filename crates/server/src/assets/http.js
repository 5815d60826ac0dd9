// The way to the server, and why there is no answer, in the shape that the library gives it.

/** Kinds of problems that may pass: nobody answered, or there was more to do than could be done. */
const PASSING = ['offline', 'busy'];

/** A problem of a question. */
export class Problem extends Error {
  /** @param {{kind: string, message: string, help?: string, place?: any}} problem */
  constructor({ kind, message, help, place }) {
    super(help ? `${message.replace(/(?<![.!?])$/, '.')} ${help}` : message);
    Object.assign(this, { kind, help, place });
  }

  /** Whether the same question may get an answer later. */
  get passes() { return PASSING.includes(this.kind); }
}

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
