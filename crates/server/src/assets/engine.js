// What the engine says of the deck after each change: verdict, meters, room, the fields of its cards.
import { ask } from './carrier.js';

/** How long to wait before another try, in milliseconds. */
const pause = (tries) => Math.min(500 * 2 ** tries, 10000);
/** The most cards whose fields one question asks for. */
const MOST = 200;
/** How long what a change shows at once waits for the verdict, in milliseconds: less than two frames. */
const SOON = 25;

/** Sets `app.view`, `app.cards` and `app.room` after each change of the deck, and notifies its watchers: first the strip. @param {any} app */
export function engine(app) {
  const watchers = [], soon = new Set();
  let asking = false, again = false, running = null, tries = 0, timer = 0;
  /** The last answer, of the deck `judged`; `trouble`: why there is none of the deck as it is. */
  app.view = null; app.judged = null; app.trouble = '';
  /** The fields of known cards, by name. @type {Map<string, any>} */
  app.cards = new Map();
  let rooms = new Map(), goes = new Map();

  app.watch = (watch) => watchers.push(watch);
  app.isFresh = () => app.judged === app.deck.now;
  app.room = (name, section) => rooms.get(`${section}\n${name}`);
  /** The section that a card goes to: `null`: none takes it; `undefined`: not known yet. */
  app.goes = (name) => {
    if (app.game.open) return app.open;
    return goes.has(name) ? goes.get(name) : app.view && app.seen.has(name) ? null : undefined;
  };
  /** Draws what a change shows at once, after the verdict where that comes soon: the frame of the one would hold up the other. @param {() => void} draw */
  app.soon = (draw) => {
    const once = () => { clearTimeout(late); soon.delete(once); draw(); }, late = setTimeout(once, SOON);
    soon.add(once);
  };
  /** The cards that the last answer knows the room of. */
  app.seen = new Set();

  /** Asks anew; done when the answer is of the deck as it is. */
  app.refresh = () => {
    again = true;
    if (!asking) running = run();
    return running;
  };
  async function run() {
    clearTimeout(timer);
    asking = true;
    do {
      again = false;
      const deck = app.deck.now, visible = [...app.picks, ...app.visible].slice(0, MOST);
      try {
        const view = await ask({ ask: 'view', format: app.game.format, deck, into: app.open, visible,
          cards: app.deck.names.filter((name) => !app.cards.has(name)).slice(0, MOST) });
        tries = 0;
        app.trouble = '';
        for (const card of view.cards ?? []) app.cards.set(card.name, card);
        if (deck === app.deck.now) {
          rooms = new Map(); goes = new Map();
          for (const entry of view.room ?? []) {
            rooms.set(`${entry.section}\n${entry.card}`, entry);
            goes.set(entry.card, entry.section);
          }
          // Of a card that the deck holds there is an entry where it is, too.
          for (const [name, takes] of Object.entries(view.takes ?? {})) if (takes.length) goes.set(name, takes.includes(app.open) ? app.open : takes[0]);
          app.seen = new Set([...visible, ...app.deck.names]);
          app.view = view;
          app.judged = deck;
          // The verdict is shown before the panes are drawn, which takes longer.
          watchers[0]();
          performance.mark('answered');
          setTimeout(() => { for (const watch of [...soon, ...watchers.slice(1)]) watch(); });
        }
      } catch (error) {
        app.trouble = error.message;
        for (const watch of watchers) watch();
        if (error.passes) timer = setTimeout(app.refresh, pause(tries++));
        asking = false;
        return;
      }
    } while (again || app.judged !== app.deck.now);
    asking = false;
  }
}

let waiting = Promise.resolve();
/** Asks what may take long: one such question at a time. @param {any} app @param {string} name @param {any} more */
export function slow(app, name, more) {
  const own = app.filters.owned && app.owned && ['build', 'fix', 'tune'].includes(name) ? { own: app.owned } : {};
  const answer = waiting.then(() => ask({ ask: name, format: app.game.format, deck: app.deck.now, ...own, ...more }));
  waiting = answer.catch(() => {});
  return answer;
}

/** A deck as a file of a kind. @param {string} format @param {any} deck @param {string} kind @returns {Promise<{bytes: Uint8Array, text: string, notes: {code: string, message: string}[]}>} */
export async function written(format, deck, kind) {
  const { bytes: packed, notes } = await ask({ ask: 'write', format, deck, to_format: kind });
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return { bytes, text: new TextDecoder().decode(bytes), notes };
}
