// The deck: a guided start while it is empty, then stacks of faces or a list, with findings at their cards.
import { acts, looked, row, stepper } from './cards.js';
import { button, h, segment, select, spoken } from './dom.js';
import { watcher } from './faces.js';
import { guide, leadGaps } from './guide.js';
import { read, write } from './memory.js';
import { findings, fixButton } from './strip.js';
import { brief, colourOf, first, isNumber, place, sentence, titled, words } from './words.js';

export function deckPane(root, app) {
  const { game, deck } = app, coarse = matchMedia('(pointer: coarse)');
  let view = read('decklaw/deck', 'stacks'), group = game.builder.groups[0] ?? '';
  const tabs = h('div', { class: 'seg', role: 'tablist', 'aria-label': 'Part of the deck' });
  const by = select('Group', [...game.builder.groups, ''].map((field) => [field, `Group: ${field ? titled(field).toLowerCase() : 'none'}`]), group, (field) => { group = field; draw(); });
  const views = segment('View of the deck', [['stacks', 'Stacks'], ['list', 'List']], view, (v) => { view = v; write('decklaw/deck', v); draw(); });
  const body = h('div', { class: 'scroll', id: 'cards-of-deck', role: 'tabpanel', tabindex: 0, 'aria-label': 'Cards of this part' });
  root.append(h('div', { class: 'deck-head' }, tabs, h('span', { class: 'grow' }), by, views), body);
  const near = watcher(body);
  /** Sections that the first steps fill are shown above the deck as faces. */
  const leads = game.start.map((step) => step.pick).filter(Boolean);
  const cardOf = (name) => app.cards.get(name) ?? { name };
  app.redeck = () => draw();

  function draw() {
    const shown = app.sections().filter((id) => !leads.includes(id));
    tabs.replaceChildren(...shown.map((id) => h('button', { role: 'tab', 'data-section': id, 'aria-selected': String(id === app.open), 'aria-controls': 'cards-of-deck', onclick: () => { app.open = id; app.refresh(); draw(); }, ...drop((name, from) => app.dropped(name, from, id)) }, app.sectionName(id), ` ${deck.total(id)}`)));
    app.guides = game.start.length > 0 && !app.skipped && app.open === game.drawn && app.sections().every((id) => leads.includes(id) || !deck.total(id));
    root.classList.toggle('guided', app.guides);
    if (app.guides) return guide(body, app, draw);
    const wrong = new Map();
    for (const one of app.view ? findings(app) : []) for (const name of one.cards) if (one.section === null || one.section === app.open) if (!wrong.has(name) && one.severity !== 'notice') wrong.set(name, one);
    const cards = deck.lines(app.open).map(({ name, count }) => ({ card: cardOf(name), n: count, finding: wrong.get(name) }));
    const now = view === 'stacks' && cards.length ? shape(cards) + JSON.stringify(leads.map((id) => deck.lines(id))) : '';
    if (now && now === shaped && body.querySelector('.stacks')) return update(cards);
    shaped = now;
    near.disconnect();
    body.replaceChildren(...[app.open === game.drawn && lead(), cards.length ? (view === 'stacks' ? stacks(cards) : rows(cards)) : empty()].filter(Boolean));
  }
  const empty = () => h('div', { class: 'none' }, h('b', {}, 'No cards here yet'), h('span', {}, app.open === game.drawn ? game.cards ? 'Click a card to add it, or let decklaw suggest some.' : 'Type a number and a name in the search, then Enter.' : 'Cards that you click now go here.'), app.open === game.drawn && game.cards ? button('Suggest cards', app.suggest, 'main') : '');

  /** The cards next to the deck, such as a Hero, and what of them is missing. */
  function lead() {
    const have = leads.flatMap((section) => deck.lines(section).map(({ name }) => ({ name, section })));
    const gaps = leadGaps(app);
    if (!have.length && !gaps.length) return null;
    return h('div', { class: 'lead' }, have.map(({ name }) => {
      const button = h('button', { style: { '--c': colourOf(game, cardOf(name)) }, title: 'Change', 'data-name': name, onclick: () => (coarse.matches ? app.sheet(name) : app.filter(wantOf(name))), ...looked(app, name) }, h('span', {}, name), spoken('. Change'));
      app.faces.draw(button, name, 'slice');
      return button;
    }), gaps.map(({ words: text, want }) => h('button', { class: 'gap', onclick: () => app.filter(want) }, text)));
  }
  const wantOf = (name) => { const card = cardOf(name), by = game.start.find((step) => step.by)?.by; return Object.fromEntries([['type', card.type], [by, first(card, by)]].filter(([field, value]) => field && value != null).map(([field, value]) => [field, [String(value)]])); };

  function groups(cards) {
    const name = (value) => (value == null ? 'Other' : isNumber(game, group) ? `${titled(group)} ${value}` : words(game, group, value));
    const cost = game.builder.curve, byName = (a, b) => place(game, cost, first(a.card, cost)) - place(game, cost, first(b.card, cost)) || a.card.name.localeCompare(b.card.name);
    return [...Map.groupBy(cards, ({ card }) => (group ? first(card, group) : 'Cards'))].sort((a, b) => place(game, group, a[0]) - place(game, group, b[0])).map(([value, list]) => ({ name: group ? name(value) : 'Cards', list: list.sort(byName), n: list.reduce((sum, one) => sum + one.n, 0) }));
  }
  const put = (card, n) => app.put(card.name, n, app.open);
  const step = (from, across, down) => {
    const all = [...body.querySelectorAll('[data-name][draggable]')];
    return all[all.indexOf(from) + across + down];
  };
  const change = ({ name }) => (by) => app.put(name, deck.count(name, app.open) + by, app.open);
  const ways = (card) => acts(app, card.name, { from: app.open, change: change(card), set: (n) => put(card, n), step });
  /** Faces that were drawn stay, whatever list they move to. @type {Map<string, HTMLElement>} */
  const drawn = new Map();
  const draws = (box, place, name, size) => { box.near = (is) => { if (is) app.faces.draw(place, name, size); }; near.observe(box); return box; };
  const said = (finding) => (finding ? `${finding.message}. ` : '');
  const stacks = (cards) => h('div', { class: 'stacks' }, groups(cards).map(({ name, list, n }) => h('section', { class: 'stack' }, h('h2', {}, name, h('span', { class: 'quiet' }, n)), h('ul', {}, list.map(({ card, n: count, finding }) => {
    const button = drawn.get(card.name) ?? h('button', { ...ways(card), class: 'card' }, spoken(''));
    drawn.set(card.name, button);
    button.style.setProperty('--c', colourOf(game, card));
    button.querySelector('.away').textContent = `${card.name}, ${count} in deck. ${said(finding)}Add one.`;
    return draws(h('li', { class: finding ? (finding.severity === 'error' ? 'wrong' : 'warn') : '' }, button, h('span', { class: 'n', title: finding?.message }, count), finding?.severity === 'error' && atCard(finding, card)), button, card.name, 'stack');
  })))));
  /** The fix of a finding on its card. */
  function atCard(finding, card) {
    const own = fixButton(app, finding);
    if (!own || own.textContent === 'Suggest cards') return null;
    own.className = 'fix';
    own.title = finding.message;
    own.setAttribute('aria-label', `${card.name}: ${finding.message}. ${own.textContent}`);
    return own;
  }
  const rows = (cards) => h('div', { class: 'rows two' }, groups(cards).map(({ name, list, n }) => h('section', {}, h('h2', {}, name, h('span', { class: 'quiet' }, n)), list.flatMap(({ card, n: count, finding }) => {
    const number = h('input', { inputmode: 'numeric', value: count, 'aria-label': `Number of ${card.name}`, onchange: (event) => put(card, Math.min(999, parseInt(event.target.value, 10) || 0)), onfocus: (event) => event.target.select() });
    const box = row(app, card, ways(card), '', stepper(card.name, 'by', change(card), number));
    box.querySelector('.away').textContent = `, ${brief(game, card)}. ${count} in deck. Add one.`;
    return [draws(box, box.firstChild, card.name, 'slice'), finding && h('p', { class: `wrong-line${finding.severity === 'error' ? '' : ' warn-line'}` }, h('span', {}, sentence(finding.message)), fixButton(app, finding))];
  }))));

  /** What takes a dropped card. @param {(name: string, from: ?string) => void} act */
  function drop(act) {
    return { ondragover: (event) => { if (event.dataTransfer.types.includes('text/decklaw')) { event.preventDefault(); event.stopPropagation(); } }, ondrop: (event) => { const { name, from } = app.taken(event); if (name) act(name, from); } };
  }
  for (const [key, listener] of Object.entries(drop((name, from) => app.dropped(name, from, null)))) root.addEventListener(key.slice(2), listener);

  /** What decides the place of each card; while it stays, numbers alone change. */
  const shape = (cards) => JSON.stringify([view, group, app.open, cards.map(({ card, finding }) => [card.name, Boolean(app.cards.get(card.name)), finding?.message, finding?.fix])]);
  let shaped = '';
  function update(cards) {
    const counts = new Map(cards.map(({ card, n }) => [card.name, n]));
    for (const item of body.querySelectorAll('.stack li')) item.querySelector('.n').textContent = counts.get(item.querySelector('[data-name]').dataset.name);
    for (const stack of body.querySelectorAll('.stack')) stack.querySelector('h2 .quiet').textContent = [...stack.querySelectorAll('[data-name]')].reduce((sum, one) => sum + counts.get(one.dataset.name), 0);
  }
  function redraw() {
    const held = document.activeElement?.closest?.('#deck [data-name], #deck .row'), name = held?.dataset.name ?? held?.querySelector('[data-name]')?.dataset.name, kind = document.activeElement?.getAttribute('aria-label'), top = body.scrollTop;
    draw();
    body.scrollTop = top;
    if (!held || held.isConnected) return;
    const same = kind && body.querySelector(`[aria-label="${CSS.escape(kind)}"]`);
    (same ?? body.querySelector(`[data-name="${CSS.escape(name ?? '')}"]`) ?? body).focus({ preventScroll: true });
  }
  app.watch(redraw);
  draw();
}
