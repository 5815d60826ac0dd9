// The way to the engine on a published page: workers of this browser. It has the exports of `carrier.js`.
import { Problem } from './http.js';

const { loaded, worker } = globalThis.decklaw;

export const serves = false;
export const event = null;
export const takes = false;

const base = location.href.split('#')[0];
export const home = base;
export const caution = location.protocol === 'file:' ? 'This page is a file on a disk, where nobody else finds it. The part behind the # is the deck: it opens at the same page anywhere, and in decklaw.' : '';
export const address = (format) => `${base}#f=${format}&`;
/** How long the page waits for an answer, in milliseconds. */
const PATIENCE = 60000;

const problem = (kind, message, help = '') => ({ kind, message, help });

/** A worker with an engine in it, which answers one question after another. */
class Lane {
  #source; #open = new Map(); #last = 0; #started = null;
  /** Takes the engine, compiled, or `null` where there is none. @type {?(module: any) => void} */
  compiled = null;

  /** @param {() => Promise<any>} source what the engine is made of */
  constructor(source) { this.#source = source; }

  async #start() {
    const url = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
    const made = new Worker(url);
    made.onmessage = ({ data: { id, reply, module } }) => {
      // Where there is none, each question gets the reason.
      if (module === undefined) this.#open.get(id)?.(reply);
      else this.compiled?.(module);
    };
    made.onerror = () => this.#over(problem('defect', 'The engine of this page stopped.', 'Load the page again; the deck is kept.'));
    await loaded;
    made.postMessage({ engine: await this.#source(), game: globalThis.decklaw.game });
    URL.revokeObjectURL(url);
    return made;
  }

  /** Ends the worker, and what was asked of it. */
  async #over(reply) {
    const started = this.#started;
    this.#started = null;
    for (const answer of this.#open.values()) answer(reply);
    (await started)?.terminate();
  }

  async ask(question) {
    this.#started ??= this.#start();
    let made;
    try {
      made = await this.#started;
    } catch (error) {
      this.#started = null;
      return problem('defect', `The engine of this page does not start: ${error.message}`);
    }
    const now = new Date();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    return new Promise((answer) => {
      const id = ++this.#last;
      const late = problem('limit', 'This question needs more time than this page allows.', 'Ask for less at once. `decklaw` at a command line has no such limit.');
      const clock = setTimeout(() => this.#over(late), PATIENCE);
      this.#open.set(id, (reply) => { this.#open.delete(id); clearTimeout(clock); answer(reply); });
      made.postMessage({ id, question, day });
    });
  }
}

// The first engine is compiled once, and the second one is made of the same.
const quick = new Lane(async () => globalThis.decklaw.engine);
const module = new Promise((known) => { quick.compiled = known; });
const slow = new Lane(() => module);

/** Questions that take their time. */
const SLOW = ['odds', 'fix', 'build', 'tune', 'room', 'swap', 'write'];

/** Asks the engine. @param {any} question @returns {Promise<any>} @throws {Problem} */
export async function ask(question) {
  const reply = await (SLOW.includes(question.ask) || question.odds?.length ? slow : quick).ask(question);
  if (reply.kind !== undefined && reply.message !== undefined) throw new Problem(reply);
  return reply;
}

/** A published page edits no file. */
export const file = null;

/** The address of a card's picture. @param {{picture: {file: string}}} face */
export const picture = ({ picture: { file: name } }) => `pictures/${encodeURIComponent(name)}`;

