// A card in full with its odds: next to the pointer, in a column of its own where there is room, as a sheet for fingers.
import { $, button, dialog, h, percent } from './dom.js';
import { slow } from './engine.js';
import { sentence } from './words.js';

/** How long a pointer rests before a card is shown, in milliseconds. */
const REST = 420;
/** The turns of the curve, and the one that is named. */
const TURNS = 8;

/** A small curve of odds over turns. @param {number[]} points @param {number} turn the one that is marked */
function curve(points, turn, w = 240, high = 78) {
  const x = (i) => 24 + (i * (w - 36)) / (points.length - 1), y = (p) => high - 18 - p * (high - 28);
  const line = points.map((p, i) => `${x(i).toFixed(1)} ${y(p).toFixed(1)}`).join('L');
  const grid = [0, 0.5, 1].map((p) => `<path d="M24 ${y(p)}H${w - 8}" stroke="var(--line)"/><text x="20" y="${y(p) + 3.5}" text-anchor="end">${p * 100}</text>`).join('');
  return `<svg class="curve" viewBox="0 0 ${w} ${high}" role="img" aria-label="By turn 1 to ${points.length}: ${points.map((p) => percent(p)).join(', ')}">${grid}<path d="M${line}L${x(points.length - 1)} ${y(0)}L24 ${y(0)}Z" fill="var(--accent)" fill-opacity=".14"/><path d="M${line}" fill="none" stroke="var(--accent)" stroke-width="2" stroke-linejoin="round"/>${points.map((p, i) => `<circle cx="${x(i)}" cy="${y(p)}" r="${i === turn - 1 ? 4 : 2}" fill="var(--accent)"/><text x="${x(i)}" y="${high - 4}" text-anchor="middle">${i + 1}</text>`).join('')}</svg>`;
}

/** Sets `app.look(name, element)`, `app.unlook()` and `app.sheet(name)`. @param {any} app @param {(name: string) => void} swap */
export function inspector(app, swap) {
  const { game } = app, float = h('div', { class: 'float', 'aria-hidden': 'true', hidden: true }), column = $('#inspect'), wide = matchMedia('(min-width: 1600px)'), coarse = matchMedia('(pointer: coarse)');
  document.body.append(float);
  column.append(h('p', { class: 'quiet' }, 'Point at a card to see it here, with its odds.'));
  let wait = 0, shown = null;
  const odds = new Map();

  /** The odds of at least one of some cards by each turn. @param {string} query @param {any} deck */
  async function oddsOf(query, deck) {
    if (odds.deck !== app.deck.now) { odds.clear(); odds.deck = app.deck.now; }
    if (!odds.has(query)) odds.set(query, slow(app, 'odds', { deck, queries: [query], turns: TURNS, hand: app.hand }).then(({ answers: [answer] }) => answer.turns?.map((one) => one.probability)));
    return odds.get(query);
  }
  /** The odds with their curve, as they come. */
  function chancesOf(words, query, deck, isStill) {
    const figure = h('b', {}, '…'), room = h('div', { class: 'curve-room' }), chances = h('div', { class: 'chances' }, h('div', { class: 'odds' }, h('span', {}, `${words} by turn ${app.turn}`), figure), room);
    oddsOf(query, deck).then((points) => {
      if (!isStill()) return;
      if (!points || points.includes(null)) { chances.remove(); return; }
      figure.textContent = percent(points[app.turn - 1]);
      room.innerHTML = curve(points, app.turn); // numbers only
    }, () => chances.remove());
    return chances;
  }
  function about(name, isStill, more = []) {
    const section = app.goes(name), n = section ? app.deck.count(name, section) : 0, room = section && app.room(name, section), face = h('div', { class: 'shown' });
    app.faces.draw(face, name, 'full');
    const limit = section === null ? 'No section of the deck takes this card.' : `${n} in deck${room ? room.more === null ? '' : room.more === 0 ? n ? ` · no more fit` : ' · does not fit' : ` · ${room.more} more fit` : ''}`;
    const finding = (app.view?.check.findings ?? []).find((one) => one.cards.includes(name)), why = finding?.message ?? (room?.more === 0 && !n ? room.message : null);
    const drawn = app.deck.count(name, game.drawn), deck = app.deck.now, lines = app.deck.lines(game.drawn);
    // Of a card that is not in the deck: with one copy of it.
    const one = drawn ? deck : { ...deck, sections: { ...deck.sections, [game.drawn]: [...lines, { count: 1, name }] } };
    const chances = (section === game.drawn || drawn) && lines.length ? chancesOf(drawn ? 'One' : 'One copy', `1+ ["${name}"]`, one, isStill) : null;
    return h('div', { class: 'about' }, face, chances ?? '', h('p', { class: 'quiet' }, limit, game.hand ? '' : ` · for a hand of ${app.hand}`), why && h('p', { class: finding ? 'why' : 'quiet' }, sentence(why)), ...more);
  }
  function showColumn(name) {
    shown = name;
    const n = app.deck.count(name, game.drawn);
    column.replaceChildren(about(name, () => shown === name, n ? [button('Better odds…', () => swap(name))] : []));
  }
  app.look = (name, element) => {
    clearTimeout(wait);
    if (coarse.matches) return;
    if (wide.matches) { wait = setTimeout(() => showColumn(name), shown ? 60 : 0); return; }
    wait = setTimeout(() => { if (element.isConnected) floatBy(element, name, about(name, () => shown === name)); }, REST);
  };
  function floatBy(element, what, content, below = null) {
    shown = what;
    float.replaceChildren(content);
    float.hidden = false;
    const at = element.getBoundingClientRect(), size = float.getBoundingClientRect(), right = at.right + 12 + size.width < innerWidth;
    float.style.left = `${Math.max(8, below ? Math.min(at.left, innerWidth - size.width - 8) : right ? at.right + 12 : at.left - size.width - 12)}px`;
    float.style.top = `${Math.max(132, Math.min(below ? below.getBoundingClientRect().bottom : at.top, innerHeight - size.height - 8))}px`;
  }
  /** The odds of at least one of the cards that a query picks, next to the chip that names it. @param {string} words @param {string} query @param {HTMLElement} element */
  app.lookAt = (words, query, element) => {
    clearTimeout(wait);
    if (coarse.matches || !app.deck.total(game.drawn)) return;
    wait = setTimeout(() => {
      if (!element.isConnected) return;
      const still = () => shown === query, content = h('div', { class: 'about' }, h('b', {}, words), chancesOf('One', query, app.deck.now, still));
      if (wide.matches) { shown = query; column.replaceChildren(content); } else floatBy(element, query, content, element.parentElement);
    }, REST);
  };
  app.unlook = () => { clearTimeout(wait); if (!wide.matches) { float.hidden = true; shown = null; } };
  app.deck.watch((what) => { if (what === 'deck' && !wide.matches) app.unlook(); });
  app.watch(() => { if (wide.matches && shown && app.cards.has(shown)) showColumn(shown); });
  addEventListener('keydown', (event) => { if (event.key === 'Escape') app.unlook(); });

  app.sheet = (name) => {
    const count = h('b', { role: 'status' }), body = h('div');
    const draw = () => { const section = app.goes(name); count.textContent = section ? app.deck.count(name, section) : 0; };
    const step = (sign, label, by) => button(sign, () => { app.add(name, by); draw(); }, 'big icon', { 'aria-label': label });
    const swapping = app.deck.count(name, game.drawn) > 0 && button('Better odds…', () => { box.close(); swap(name); }, 'plain');
    body.append(about(name, () => box.open));
    const box = dialog(name, body, app.goes(name) === null ? '' : h('div', { class: 'step counter' }, step('−', 'Remove one', -1), count, step('+', 'Add one', 1)), swapping);
    box.classList.add('sheet');
    draw();
  };
}
