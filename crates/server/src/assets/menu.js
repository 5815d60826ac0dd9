// What one can do with a card, wherever it lies: a menu at the pointer, and the lower half of the sheet for fingers.
import { button, h, percent, pop } from './dom.js';
import { slow } from './engine.js';
import { sentence } from './words.js';
import { findings, fixButton } from './strip.js';

/** The most numbers that are buttons of their own. */
const NUMBERS = 6;

/** The controls of a card in a section of the deck. @param {any} app @param {string} name @param {?string} from the section that it lies in
 * @param {() => void} again draws them anew @param {() => void} close */
export function controls(app, name, from, again, close) {
  const { game, deck } = app, section = from ?? app.goes(name), n = section ? deck.count(name, section) : 0, room = section && app.room(name, section);
  const finding = findings(app).find((one) => one.cards.includes(name) && one.severity !== 'notice'), why = finding?.message ?? (room?.more === 0 && !n ? room.message : null);
  const act = (change) => () => { change(); again(); };
  const most = room?.more == null ? n + 2 : n + Math.max(0, room.more), numbers = most <= NUMBERS && n <= NUMBERS ? Array.from({ length: Math.max(most, n) + 1 }, (_, at) => at) : null;
  const set = (to) => act(() => app.put(name, to, section));
  const to = n ? (app.view?.takes?.[name] ?? []).filter((id) => id !== section) : [];
  const move = (id, copies) => act(() => deck.apply([{ section, card: name, to: n - copies }, { section: id, card: name, to: deck.count(name, id) + copies }]));
  const have = app.owns(name), line = (words, ...what) => h('div', { class: 'line' }, h('span', {}, words), ...what), once = (one) => { one.classList.add('again'); return one; };
  const drawn = deck.count(name, game.drawn), figure = h('b', {}, '…');
  if (drawn) slow(app, 'odds', { queries: [`1+ ["${name}"]`], turns: app.turn, hand: app.hand }).then(({ answers: [answer] }) => { figure.textContent = percent((answer.turns?.at(-1) ?? answer).probability); }, () => figure.parentElement?.remove());
  return h('div', { class: 'controls' }, why && h('p', { class: `reason${finding?.severity === 'error' ? '' : ' mild'}` }, h('span', {}, sentence(why)), finding && fixButton(app, finding, close)),
    section ? line(`In ${app.sectionName(section)}`, numbers ? h('div', { class: 'nums', role: 'group', 'aria-label': `Number in ${app.sectionName(section)}` }, numbers.map((k) => h('button', { 'aria-pressed': String(k === n), onclick: set(k) }, k)))
      : h('div', { class: 'nums' }, h('button', { 'aria-label': 'Remove one', onclick: set(n - 1) }, '−'), h('b', { role: 'status' }, n), h('button', { 'aria-label': 'Add one', onclick: set(n + 1) }, '+'))) : h('p', { class: 'quiet' }, 'No section of the deck takes this card.'),
    to.length > 0 && line('Move', h('div', { class: 'moves' }, to.flatMap((id) => [button(n > 1 ? `1 to ${app.sectionName(id)}` : `To ${app.sectionName(id)}`, move(id, 1)), n > 1 && button(`All to ${app.sectionName(id)}`, move(id, n))]))),
    drawn > 0 && once(line(`One by turn ${app.turn}`, figure)), have !== null && line('Owned', h('div', { class: 'nums' }, h('button', { 'aria-label': 'Own one less', onclick: act(() => app.own(name, have - 1)) }, '−'), h('b', {}, have), h('button', { 'aria-label': 'Own one more', onclick: act(() => app.own(name, have + 1)) }, '+'))),
    h('div', { class: 'line' }, button('Card and odds', () => { close(); app.sheet(name, from); }, 'plain again'), drawn > 0 && button('Better odds…', async () => { close(); (await import('./offers.js')).bestSwap(app, { query: `1+ ["${name}"]`, name, keep: [`"${name}"`] }); }, 'plain')));
}

/** Sets `app.menu(name, section, element, event)`. @param {any} app */
export function menus(app) {
  app.menu = (name, from, element, at = null) => {
    app.unlook();
    const place = at ? { left: at.clientX, bottom: at.clientY } : element.getBoundingClientRect();
    pop(element, (box) => {
      const head = h('div', { class: 'menu-head' }, h('b', {}, h('bdi', {}, name)));
      app.faces.draw(head, name, 'slice');
      const draw = () => { const held = box.contains(document.activeElement) && document.activeElement.textContent; box.replaceChildren(head, controls(app, name, from, draw, box.close)); if (held) [...box.querySelectorAll('button')].find((one) => one.textContent === held)?.focus(); };
      draw();
      app.refresh().then(() => { if (box.isConnected) draw(); });
      requestAnimationFrame(() => box.querySelector('button')?.focus({ preventScroll: true }));
    }, place, 'menu');
  };
}
