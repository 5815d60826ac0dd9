// Decks that the engine suggests, at most three side by side; the best exchange for a hand; the smallest fix.
import { button, dialog, h, percent, spoken, toast } from './dom.js';
import { fixed } from './deck.js';
import { slow } from './engine.js';
import { changes as listed } from './findings.js';
import { first, plural, sentence } from './words.js';

const copies = (lines) => lines.reduce((sum, line) => sum + line.count, 0);
/** Three cards that show a deck: each colour has its share of them, its dearest cards first that no deck before has shown. */
function shown(app, lines, before) {
  const { curve, filters } = app.game.builder, by = app.game.face?.colour?.by ?? filters[0], dear = (card) => Number(card[curve]) || 0;
  const groups = [...Map.groupBy(lines, ({ name }) => first(app.cards.get(name), by)).values()].map((own) => ({ copies: copies(own), taken: 0, cards: own.map(({ name }) => app.cards.get(name) ?? { name }).sort((a, b) => before.has(a.name) - before.has(b.name) || dear(b) - dear(a)) }));
  return [0, 1, 2].flatMap(() => {
    const next = groups.filter((one) => one.taken < one.cards.length).sort((a, b) => b.copies / (b.taken + 1) - a.copies / (a.taken + 1))[0];
    const card = next?.cards[next.taken++];
    if (card) before.add(card.name);
    return card ? [card] : [];
  });
}

/** Draws the decks of some wishes, as each is ready. @param {HTMLElement} place @param {any} app @param {any[]} choices @param {() => void} taken */
export async function offers(place, app, choices, taken) {
  const { game, deck } = app, before = deck.now, seen = new Set();
  const cells = choices.map((choice) => h('button', { class: 'offer', disabled: true }, h('span', { class: 'fan' }), h('span', {}, h('b', {}, choice.title), h('small', {}, choice.about), h('small', { class: 'status' }, '…'))));
  place.replaceChildren(...cells);
  for (const [at, choice] of choices.entries()) {
    const cell = cells[at], status = cell.querySelector('.status');
    try {
      const empty = deck.isEmpty ? { deck: '' } : {};
      const answer = await slow(app, 'build', { wish: choice.wish, ...empty });
      if (!cell.isConnected) return;
      if (!answer.deck) { status.replaceChildren('No such deck: ', ...sentence(answer.reasons[0] ?? '')); continue; }
      const lines = answer.deck.sections[game.drawn] ?? [], unknown = lines.map((line) => line.name).filter((name) => !app.cards.has(name));
      await app.learn(unknown);
      const changes = answer.changes ?? [], odds = answer.odds?.find((one) => one.probability != null);
      const out = changes.reduce((sum, one) => sum + Math.max(0, one.from - one.to), 0), come = changes.reduce((sum, one) => sum + Math.max(0, one.to - one.from), 0);
      status.replaceChildren([`${plural(copies(lines), 'card')}, ${answer.after.verdict}`, out ? `${come} in, ${out} out` : ''].filter(Boolean).join(' · '), odds ? h('span', { class: 'chance', title: odds.name ?? odds.query }, odds.name ?? odds.query, h('b', {}, percent(odds.probability))) : '');
      for (const card of shown(app, lines, seen)) { const face = h('span', {}, spoken('')); cell.querySelector('.fan').append(face); app.faces.draw(face, card.name, 'small'); }
      cell.disabled = false;
      cell.addEventListener('click', () => {
        if (deck.now !== before) return toast(STALE);
        taken();
        deck.replace({ ...deck.now, sections: answer.deck.sections });
        toast(`A ${answer.after.verdict} deck of ${plural(copies(lines), 'card')}.`, () => deck.undo());
      });
    } catch (error) { status.textContent = error.message; }
  }
}

/** The decks that finish this one, in a dialog. @param {any} app */
export function suggest(app) {
  const choices = app.game.start.find((step) => step.choose.length)?.choose ?? [{ title: 'Finish the deck', about: 'The fewest changes that make it legal.', wish: [] }];
  const place = h('div', { class: 'guide' });
  const box = dialog('Suggested decks', h('p', { class: 'quiet' }, app.deck.isEmpty ? 'Each is legal. Change any card afterwards.' : 'Each is legal and keeps as many of your cards as it can.'), place);
  offers(place, app, choices, () => box.close());
}

const STALE = 'The deck changed in between. Ask again.';
const changeList = (app, all) => listed(all, (section) => section !== app.game.drawn && app.sectionName(section));

/** The changes of a fix with another card in the place of one that goes: as many others come in less. */
function exchanged(app, changes, gone, card) {
  let left = gone.copies;
  const others = changes.map((change) => {
    const less = change.section === gone.section ? Math.min(left, Math.max(0, change.to - change.from)) : 0;
    left -= less;
    return { ...change, to: change.to - less };
  });
  const known = others.find((one) => one.section === gone.section && one.card === card);
  return [...others, { section: gone.section, card, to: (known ? known.to : app.deck.count(card, gone.section)) + gone.copies }];
}

/** The smallest fix, carried out; what it changed is shown. Of a card that a list takes out, those that are alike are offered. @param {any} app */
export async function fix(app) {
  const before = app.deck.now;
  toast('Searching for the smallest fix…');
  try {
    const answer = await slow(app, 'fix', {});
    if (before !== app.deck.now) return toast(STALE);
    if (answer.distance === null) return dialog('No fix', h('p', {}, answer.impossible ? 'No deck satisfies all of these rules:' : 'No fix was found:'), h('ul', {}, answer.reasons.map((one) => h('li', {}, sentence(one)))));
    const take = (changes) => {
      if (before !== app.deck.now) return toast(STALE);
      app.deck.replace(fixed(before, { ...answer, changes }));
      const names = (answer.renamed ?? []).length;
      const said = [names && `${plural(names, 'name')} corrected`, answer.distance && `${plural(answer.distance, 'copy', 'copies')} changed${answer.optimal ? ', the fewest possible' : ''}`];
      toast(`${said.filter(Boolean).join(', ')}.`, () => app.deck.replace(before));
    };
    const replaceable = (answer.substitutes ?? []).filter((one) => one.instead.length);
    if (!replaceable.length) return take(answer.changes);
    const closing = (changes) => () => { box.close(); take(changes); };
    const box = dialog('The smallest fix', changeList(app, answer.changes), replaceable.map((one) => h('div', {}, h('h3', {}, `Or instead of ${one.copies} × ${one.card}`), h('div', { class: 'picks' }, one.instead.slice(0, 4).map(({ card, differs }) => {
      const face = h('button', { class: 'card', 'data-instead': card, title: differs.length ? `Other ${differs.join(', ')}` : 'Alike', onclick: closing(exchanged(app, answer.changes, one, card)) }, spoken(card));
      app.faces.draw(face, card, 'full');
      return face;
    })))), h('div', { class: 'acts' }, button('Fix', closing(answer.changes), 'main')));
  } catch (error) {
    toast(error.message);
  }
}

/** The best exchanges for a hand: what they take out and put in, and the odds after them. @param {any} app @param {{query: string, name: string, turn?: ?number, keep?: string[]}} hand */
export async function bestSwap(app, { query, name, turn = app.turn, keep = [] }) {
  const before = app.deck.now;
  const place = h('div', { class: 'guide' }, h('p', { class: 'quiet' }, 'Searching…'));
  const box = dialog(`Better odds: ${name}`, place);
  const take = (changes) => {
    if (before !== app.deck.now) return toast(STALE);
    box.close();
    app.deck.apply(changes);
    toast('Exchanged.', () => app.deck.undo());
  };
  try {
    const answer = await slow(app, 'tune', { queries: [query], changes: 3, turn, hand: app.hand, keep });
    const steps = (answer.steps ?? []).filter((step) => step.changes.length);
    const offers = steps.map((step) => h('div', { class: 'offer' }, changeList(app, step.changes), h('span', { class: 'grow' }), h('b', {}, percent(step.probability)), button('Exchange', () => take(step.changes), 'main')));
    place.replaceChildren(h('p', {}, turn ? `By turn ${turn}: ` : 'In the first hand: ', h('b', {}, percent(answer.before.probability)), ' now.'),
      ...(offers.length ? offers : [h('p', {}, 'No legal exchange of up to 3 cards makes it likelier.')]));
  } catch (error) {
    place.replaceChildren(h('p', {}, error.message));
  }
}
