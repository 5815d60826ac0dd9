// A card in full with its odds: next to the pointer, in a column of its own where there is room, as a sheet for fingers.
import { $, dialog, h, percent } from './dom.js';
import { slow } from './engine.js';
import { controls } from './menu.js';
import { sentence } from './words.js';

/** How long a pointer rests before a card is shown, in milliseconds, and how wide a face is that can be read where it is. */
const REST = 600, READABLE = 140;
/** The turns of the curve, and the one that is named. */
const TURNS = 8;

/** A small curve of odds over turns. @param {number[]} points @param {number} turn the one that is marked */
function curve(points, turn, w = 240, high = 78) {
  const x = (i) => 24 + (i * (w - 36)) / (points.length - 1), y = (p) => high - 18 - p * (high - 28);
  const line = points.map((p, i) => `${x(i).toFixed(1)} ${y(p).toFixed(1)}`).join('L');
  const grid = [0, 0.5, 1].map((p) => `<path d="M24 ${y(p)}H${w - 8}" stroke="var(--line)"/><text x="20" y="${y(p) + 3.5}" text-anchor="end">${p * 100}</text>`).join('');
  return `<svg class="curve" viewBox="0 0 ${w} ${high}" role="img" aria-label="By turn 1 to ${points.length}: ${points.map((p) => percent(p)).join(', ')}">${grid}<path d="M${line}L${x(points.length - 1)} ${y(0)}L24 ${y(0)}Z" fill="var(--accent)" fill-opacity=".14"/><path d="M${line}" fill="none" stroke="var(--accent)" stroke-width="2" stroke-linejoin="round"/>${points.map((p, i) => `<circle cx="${x(i)}" cy="${y(p)}" r="${i === turn - 1 ? 4 : 2}" fill="var(--accent)"/><text x="${x(i)}" y="${high - 4}" text-anchor="middle">${i + 1}</text>`).join('')}</svg>`;
}

/** Sets `app.look(name, element)`, `app.unlook()` and `app.sheet(name, section)`. @param {any} app */
export function inspector(app) {
  const { game } = app, float = h('div', { class: 'float', 'aria-hidden': 'true', hidden: true }), column = $('#inspect'), wide = matchMedia('(min-width: 1600px)'), coarse = matchMedia('(pointer: coarse)');
  document.body.append(float);
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
  function about(name, isStill, more = null) {
    const section = app.goes(name), n = app.held(name), room = section && app.room(name, section), face = h('div', { class: 'shown' });
    app.faces.draw(face, name, 'full');
    const limit = section === null ? 'No section of the deck takes this card.' : `${n} in deck${room ? room.more === null ? '' : room.more === 0 ? n ? ` · no more fit` : ' · does not fit' : ` · ${room.more} more fit` : ''}`;
    const finding = (app.view?.check.findings ?? []).find((one) => one.cards.includes(name)), why = finding?.message ?? (room?.more === 0 && !n ? room.message : null);
    const drawn = app.deck.count(name, game.drawn), deck = app.deck.now, lines = app.deck.lines(game.drawn);
    // Of a card that is not in the deck: with one copy of it.
    const one = drawn ? deck : { ...deck, sections: { ...deck.sections, [game.drawn]: [...lines, { count: 1, name }] } };
    const chances = (section === game.drawn || drawn) && lines.length ? chancesOf(drawn ? 'One' : 'One copy', `1+ ["${name}"]`, one, isStill) : null;
    return h('div', { class: 'about' }, face, chances ?? '', more ?? [h('p', { class: 'quiet' }, limit, game.hand ? '' : ` · for a hand of ${app.hand}`), why && h('p', { class: finding ? 'why' : 'quiet' }, sentence(why))]);
  }
  function showColumn(name) {
    shown = name;
    const draw = () => column.replaceChildren(about(name, () => shown === name, controls(app, name, null, draw, () => {})));
    draw();
  }
  app.look = (name, element) => {
    clearTimeout(wait);
    if (coarse.matches) return;
    // A stack fans out, and a large face can be read where it is.
    if (!wide.matches && (element.closest('.stack, .gallery') || element.closest('.cell') && element.offsetWidth >= READABLE)) return;
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

  app.sheet = (name, from = null) => {
    const body = h('div');
    const draw = () => { const held = body.contains(document.activeElement) && document.activeElement.textContent; body.replaceChildren(about(name, () => box.open, controls(app, name, from, draw, () => box.close()))); if (held) [...body.querySelectorAll('button')].find((one) => one.textContent === held)?.focus(); };
    const box = dialog(name, body);
    box.classList.add('sheet');
    draw();
    app.picks.add(name);
    app.refresh().then(() => { if (box.open) draw(); });
  };
}
