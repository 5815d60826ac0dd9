// The first steps of an empty deck, as the game's folder describes them: pick by face, then choose one of the decks.
import { ask } from './carrier.js';
import { looked } from './cards.js';
import { button, h, spoken } from './dom.js';
import { first, words } from './words.js';

/** The names of the cards that a query selects, each query asked once. */
const known = new Map();
async function cardsOf(app, query) {
  const key = `${app.game.format}\n${query}`;
  if (!known.has(key)) {
    const found = ask({ ask: 'view', format: app.game.format, deck: { format: app.game.format, sections: {} }, search: { query, most: 60 } });
    known.set(key, found);
    found.catch(() => known.delete(key));
  }
  const { search } = await known.get(key);
  for (const card of search.cards ?? []) app.cards.set(card.name, card);
  return (search.cards ?? []).map((card) => card.name);
}
/** The word of a step's query, such as red. */
const wordOf = (step, query) => (step.by ? /"([^"]*)"$/.exec(query)?.[1] : null);
/** The picked cards of a step, for each of its queries. */
const picked = (app, step) => step.each.map((query) => { const word = wordOf(step, query); return app.deck.lines(step.pick).find(({ name }) => word === null || String(first(app.cards.get(name), step.by)) === word)?.name; });
const isDone = (app, step) => step.pick !== null && picked(app, step).every(Boolean);

/** What of the picks is missing once the deck has cards: `Pick a red Shell`. */
export const leadGaps = (app) => app.game.start.filter((step) => step.pick).flatMap((step) => step.each.flatMap((query, at) => {
  if (picked(app, step)[at]) return [];
  const want = Object.fromEntries([...query.matchAll(/([\w-]+):"?([\w-]+)"?/g)].map(([, field, value]) => [field, [value]]));
  return [{ words: `Pick: ${Object.entries(want).reverse().map(([field, [value]]) => words(app.game, field, value)).join(' ')}`, want }];
}));

/** Draws the guide. @param {HTMLElement} body @param {any} app @param {() => void} redraw */
export function guide(body, app, redraw) {
  const { start } = app.game, open = start.findIndex((step) => !isDone(app, step));
  // A step stays until its player goes on: nothing moves under the pointer.
  const at = app.step ??= open < 0 ? start.length - 1 : open, step = start[at];
  app.isOffer = !step.pick;
  const key = JSON.stringify([at, step.pick ? [] : app.deck.now.sections]);
  if (body.firstChild?.dataset?.guide === key) return update(body.firstChild, app, step);
  const go = (to) => { app.step = to; redraw(); };
  const content = h('div', { class: 'guide' });
  body.replaceChildren(h('div', { class: 'guide', 'data-guide': key },
    start.length > 1 ? h('ol', { class: 'to' }, [...start.map((one) => one.title), 'Tune the deck'].map((title, i) => h('li', i === at ? { 'aria-current': 'step' } : {}, title))) : '',
    h('div', { class: 'step now' }, h('div', {}, h('h2', {}, step.title), step.about && h('p', { class: 'quiet' }, step.about)),
      step.pick && button('Continue', () => go(at + 1), 'main', { 'data-continue': true })),
    content,
    h('div', { class: 'step' }, at > 0 ? button('Back', () => go(at - 1), 'plain') : h('span'), button('Choose cards myself', () => { app.skipped = true; redraw(); }, 'plain'))));
  if (step.pick) picks(content, app, step, body.firstChild); else import('./offers.js').then(({ choicesOf, offers }) => offers(content, app, choicesOf(app), () => { app.step = null; }));
}

async function picks(content, app, step, box) {
  for (const query of step.each) {
    const word = wordOf(step, query), group = h('div', { class: 'picks', role: 'group', 'aria-label': word ? words(app.game, step.by, word) : step.title });
    content.append(group);
    const names = await cardsOf(app, query).catch((error) => { group.append(error.message); return []; });
    group.append(...names.map((name) => {
      const face = h('button', { class: 'card', 'data-name': name, 'aria-pressed': 'false', ...looked(app, name), onclick: () => {
        const others = app.deck.lines(step.pick).filter((line) => line.name !== name && names.includes(line.name)).map((line) => ({ section: step.pick, card: line.name, to: 0 }));
        app.deck.apply([...others, { section: step.pick, card: name, to: app.deck.count(name, step.pick) ? 0 : 1 }]);
      } }, spoken(name));
      app.faces.draw(face, name, 'small');
      return face;
    }));
  }
  app.picks = new Set([...box.querySelectorAll('.picks .card')].map((card) => card.dataset.name));
  app.refresh();
  update(box, app, step);
}
/** Shows which cards are picked, and which do not go with those. */
function update(box, app, step) {
  if (!step.pick) return;
  for (const group of box.querySelectorAll('.picks')) {
    let any = false;
    for (const card of group.children) { const is = app.deck.count(card.dataset.name, step.pick) > 0; any ||= is; card.setAttribute('aria-pressed', String(is)); card.classList.toggle('nowhere', !is && app.isFull(card.dataset.name, step.pick)); }
    group.classList.toggle('chosen', any);
  }
  box.querySelector('[data-continue]').disabled = !isDone(app, step);
}
