// The deck: a guided start while it is empty, then stacks of faces, a list or the gallery, with findings at their cards.
import { acts, looked, row, stepper } from './cards.js';
import { $, button, h, pop, rove, segment, select, spoken } from './dom.js';
import { watcher } from './faces.js';
import { guide, leadGaps } from './guide.js';
import { read, write } from './memory.js';
import { findings, fixButton } from './strip.js';
import { brief, colourOf, first, isNumber, place, plural, sentence, titled, words } from './words.js';

export function deckPane(root, app) {
  const { game, deck, filters: by } = app, coarse = matchMedia('(pointer: coarse)'), page = $('#app');
  const kept = read(`decklaw/deck/${game.game}`, {}), keep = (more) => write(`decklaw/deck/${game.game}`, Object.assign(kept, more));
  // Who opens a link sees the deck first.
  let view = deck.lent && !deck.isEmpty ? 'gallery' : kept.view ?? 'stacks', group = kept.group ?? game.builder.groups[0] ?? '', inside = false, ghosts = new Set(), before = new Set();
  const tabs = h('div', { class: 'seg', role: 'tablist', 'aria-label': 'Part of the deck' });
  const groups = select('Group', [...game.builder.groups, ''].map((field) => [field, `Group: ${field ? titled(field).toLowerCase() : 'none'}`]), group, (field) => { group = field; keep({ group }); draw(); });
  const views = segment('View of the deck', [['stacks', 'Stacks'], ['list', 'List'], ['gallery', 'Gallery']], view, (v) => { keep({ view: v }); look(v); });
  const missing = button('', () => pop(missing, lacking), 'plain lack', { 'aria-haspopup': 'dialog', hidden: true });
  const body = h('div', { class: 'scroll', id: 'cards-of-deck', role: 'tabpanel', tabindex: 0, 'aria-label': 'Cards of this part' });
  root.append(h('div', { class: 'deck-head' }, tabs, h('span', { class: 'grow' }), groups, views), h('div', { class: 'lacks' }, missing), body);
  const near = watcher(body), rovedTabs = rove(tabs, 'button', () => 1, (tab) => tab.click()), roved = rove(body, '[data-name][draggable]');
  /** Sections that the first steps fill are shown above the deck as faces. */
  const leads = game.start.map((step) => step.pick).filter(Boolean);
  app.leads = leads;
  const cardOf = (name) => app.cards.get(name) ?? { name };
  app.redeck = () => draw();
  function look(v) {
    view = v;
    for (const one of views.children) one.setAttribute('aria-pressed', String(one.dataset.key === v));
    draw();
    deck.touch();
  }
  /** Leaves the gallery and the first steps. */
  app.edit = () => { if (view === 'gallery') look(kept.view === 'list' ? 'list' : 'stacks'); if (app.guides) { app.skipped = true; draw(); } };
  app.isGallery = () => view === 'gallery' && !app.guides;

  // A row that was emptied stays until the pointer leaves, so that a second click meets the same card.
  body.addEventListener('pointerenter', () => { inside = true; });
  body.addEventListener('pointerleave', () => { inside = false; if (ghosts.size) { ghosts.clear(); redraw(); } });
  deck.watch((what) => {
    if (what !== 'deck') return;
    const now = new Set(deck.lines(app.open).map(({ name }) => name));
    if (inside) for (const name of before) if (!now.has(name)) ghosts.add(name);
    for (const name of now) ghosts.delete(name);
    before = now;
  });
  by.watch(() => { for (const one of body.querySelectorAll('[data-name][draggable]')) one.parentElement.classList.toggle('off', isOff(one.dataset.name)); });
  const isOff = (name) => by.isOn && !by.passes(cardOf(name));

  function draw() {
    const shown = app.sections().filter((id) => !leads.includes(id)), hadTab = tabs.contains(document.activeElement);
    tabs.replaceChildren(...shown.map((id) => h('button', { role: 'tab', tabindex: id === app.open ? 0 : -1, 'data-section': id, 'aria-selected': String(id === app.open), 'aria-controls': 'cards-of-deck', onclick: () => { app.open = id; ghosts.clear(); before = new Set(deck.lines(id).map(({ name }) => name)); app.refresh(); draw(); }, ...drop((name, from) => app.dropped(name, from, id)) }, app.sectionName(id), h('small', {}, ` ${deck.total(id)}`))));
    rovedTabs();
    if (hadTab) tabs.querySelector('[aria-selected=true]')?.focus();
    app.guides = game.start.length > 0 && !app.skipped && app.open === game.drawn && app.sections().every((id) => leads.includes(id) || !deck.total(id));
    const lacks = app.owned ? app.lacks() : [], sum = lacks.reduce((all, one) => all + one.missing, 0);
    missing.hidden = missing.parentElement.hidden = !app.owned || deck.isEmpty;
    missing.textContent = sum ? `${sum} missing` : 'All owned';
    root.classList.toggle('guided', app.guides);
    page.dataset.view = app.guides ? (app.isOffer ? 'offers' : 'stacks') : view;
    if (app.guides) { shaped = ''; guide(body, app, draw); page.dataset.view = app.isOffer ? 'offers' : 'stacks'; return; }
    const wrong = new Map();
    for (const one of app.view ? findings(app) : []) for (const name of one.cards) if (one.section === null || one.section === app.open) if (!wrong.has(name) && one.severity !== 'notice') wrong.set(name, one);
    const lines = [...deck.lines(app.open), ...[...ghosts].map((name) => ({ name, count: 0 }))], cards = lines.map(({ name, count }) => ({ card: cardOf(name), n: count, finding: wrong.get(name) }));
    if (view === 'gallery') { shaped = ''; return import('./gallery.js').then(({ gallery }) => { if (view === 'gallery' && !app.guides) gallery(body, app, wrong); }); }
    const now = view === 'stacks' && cards.length ? shape(cards) + JSON.stringify(leads.map((id) => deck.lines(id))) : '';
    if (now && now === shaped && body.querySelector('.stacks')) return update(cards);
    shaped = now;
    near.disconnect();
    body.replaceChildren(...[app.open === game.drawn && lead(), cards.length ? (view === 'stacks' ? stacks(cards) : rows(cards)) : empty()].filter(Boolean));
    roved();
  }
  const empty = () => h('div', { class: 'none' }, h('b', {}, 'No cards here yet'), h('span', {}, app.open === game.drawn ? game.cards ? 'Click a card to add it, or let decklaw suggest some.' : 'Type a number and a name in the search, then Enter.' : 'Cards that you click now go here.'), app.open === game.drawn && game.cards ? button('Suggest cards', app.suggest, 'main') : '');
  function lacking(box) {
    const all = app.lacks(), text = all.map((one) => `${one.missing} ${one.name}`).join('\n');
    box.append(h('div', { class: 'about' }, h('h3', {}, all.length ? `${plural(all.reduce((sum, one) => sum + one.missing, 0), 'card')} missing` : 'You own every card of this deck.'),
      h('ul', { class: 'lacking' }, all.map((one) => h('li', {}, h('b', {}, one.missing), h('bdi', {}, one.name), h('small', {}, `${one.have} of ${one.needed}`)))), h('div', { class: 'acts' }, all.length > 0 && app.copier(() => text, 'Copy list'), button('Your collection', () => { box.close(); app.collection(); }, 'plain'))));
  }

  /** The cards next to the deck, such as a Hero, and what of them is missing. */
  function lead() {
    const have = leads.flatMap((section) => deck.lines(section).map((line) => ({ ...line, section })));
    const gaps = leadGaps(app);
    if (!have.length && !gaps.length) return null;
    return h('div', { class: 'lead' }, have.map(({ name, count, section }) => {
      const change = h('button', { style: { '--c': colourOf(game, cardOf(name)) }, title: 'Change', 'data-name': name, onclick: () => (coarse.matches ? app.sheet(name, section) : app.filter(wantOf(name))), oncontextmenu: (event) => { event.preventDefault(); app.menu(name, section, event.currentTarget, event); }, ...looked(app, name) }, h('span', {}, name), count > 1 && h('b', { class: 'times' }, `×${count}`), spoken('. Change'));
      app.faces.draw(change, name, 'slice');
      return change;
    }), gaps.map(({ words: text, want }) => h('button', { class: 'gap', onclick: () => app.filter(want) }, text)));
  }
  const wantOf = (name) => { const card = cardOf(name), step = game.start.find((one) => one.by)?.by; return Object.fromEntries([['type', card.type], [step, first(card, step)]].filter(([field, value]) => field && value != null).map(([field, value]) => [field, [String(value)]])); };

  function grouped(cards) {
    const name = (value) => (value == null ? 'Other' : isNumber(game, group) ? `${titled(group)} ${value}` : words(game, group, value));
    const cost = game.builder.curve, byName = (a, b) => place(game, cost, first(a.card, cost)) - place(game, cost, first(b.card, cost)) || a.card.name.localeCompare(b.card.name);
    return [...Map.groupBy(cards, ({ card }) => (group ? first(card, group) : 'Cards'))].sort((a, b) => place(game, group, a[0]) - place(game, group, b[0])).map(([value, list]) => ({ name: group ? name(value) : 'Cards', list: list.sort(byName), n: list.reduce((sum, one) => sum + one.n, 0) }));
  }
  const put = (card, n) => app.put(card.name, n, app.open);
  const change = ({ name }) => (n) => app.put(name, deck.count(name, app.open) + n, app.open);
  const ways = (card) => acts(app, card.name, { from: app.open, change: change(card), set: (n) => put(card, n) });
  /** Faces that were drawn stay, whatever list they move to. @type {Map<string, HTMLElement>} */
  const drawn = new Map();
  const draws = (box, at, name, size) => { box.near = (is) => { if (is) app.faces.draw(at, name, size); }; near.observe(box); return box; };
  const said = (finding) => (finding ? `${finding.message}. ` : '');
  const lack = ({ name }, n) => { const have = app.owns(name); return have !== null && have < n ? `You own ${have} of ${n}` : null; };
  const kind = (card, n, finding) => `${finding ? (finding.severity === 'error' ? 'wrong' : 'warn') : ''}${n ? '' : ' ghost'}${isOff(card.name) ? ' off' : ''}${lack(card, n) ? ' lacks' : ''}`.trim();
  /** A stack: strips as high as a part of a card's width catch the pointer and never move; the faces upon them slide to show the one that is pointed at. */
  const stacks = (cards) => h('div', { class: 'stacks' }, grouped(cards).map(({ name, list, n }) => h('section', { class: 'stack' }, h('h2', {}, name, h('span', { class: 'quiet' }, n)), h('ul', {}, list.map(({ card, n: count, finding }) => {
    const face = drawn.get(card.name) ?? h('button', { ...ways(card), class: 'card' }, spoken('')), step = (sign, by) => h('button', { class: sign, tabindex: -1, 'aria-hidden': 'true', onclick: () => change(card)(by) });
    drawn.set(card.name, face);
    face.style.setProperty('--c', colourOf(game, card));
    face.querySelector('.away').textContent = `${card.name}, ${count} in deck. ${said(finding)}Add one.`;
    return draws(h('li', { class: kind(card, count, finding), 'data-card': card.name }, face, h('span', { class: 'n', title: finding?.message ?? lack(card, count) }, count ? [step('less', -1), h('b', {}, count), step('more', 1)] : h('button', { class: 'back', onclick: () => deck.undo() }, '0 · Undo')), finding?.severity === 'error' && atCard(finding, card)), face, card.name, 'stack');
  })))));
  /** The fix of a finding on its card. */
  function atCard(finding, card) {
    const own = fixButton(app, finding), words = own?.textContent;
    if (!own || words === 'Suggest cards') return null;
    own.className = 'fix';
    own.title = finding.message;
    own.setAttribute('aria-label', `${card.name}: ${finding.message}. ${words}`);
    own.replaceChildren(h('span', { class: 'short' }, words.replace(/^Remove (\d+)$/, '−$1').replace(/^Remove$/, '✕').replace(/^(Use|Show|Replace).*/, '!')), h('span', { class: 'long' }, words));
    return own;
  }
  const rows = (cards) => h('div', { class: 'rows two' }, grouped(cards).map(({ name, list, n }) => h('section', {}, h('h2', {}, name, h('span', { class: 'quiet' }, n)), list.flatMap(({ card, n: count, finding }) => {
    // What was refused does not stay in the field, and a click replaces the number.
    const number = h('input', { inputmode: 'numeric', value: count, 'aria-label': `Number of ${card.name}`, onchange: () => { put(card, Math.min(999, parseInt(number.value, 10) || 0)); number.value = deck.count(card.name, app.open); }, onkeydown: (event) => { if (event.key === 'Enter') { number.blur(); number.focus(); } }, onfocus: () => number.select(), onmouseup: (event) => { event.preventDefault(); number.select(); } });
    const box = row(app, card, ways(card), lack(card, count) ?? '', stepper(card.name, 'by', change(card), number));
    box.className = `row ${kind(card, count, null)}`;
    box.querySelector('.away').textContent = `, ${brief(game, card)}. ${count} in deck. Add one.`;
    return [draws(box, box.firstChild, card.name, 'slice'), finding && h('p', { class: `wrong-line${finding.severity === 'error' ? '' : ' warn-line'}` }, h('span', {}, sentence(finding.message)), fixButton(app, finding))];
  }))));

  /** What takes a dropped card. @param {(name: string, from: ?string) => void} act */
  function drop(act) {
    return { ondragover: (event) => { if (event.dataTransfer.types.includes('text/decklaw')) { event.preventDefault(); event.stopPropagation(); } }, ondrop: (event) => { const { name, from } = app.taken(event); if (name) act(name, from); } };
  }
  for (const [key, listener] of Object.entries(drop((name, from) => app.dropped(name, from, null)))) root.addEventListener(key.slice(2), listener);

  /** What decides the place of each card; while it stays, numbers alone change. */
  const shape = (cards) => JSON.stringify([view, group, app.open, Boolean(app.owned), cards.map(({ card, n, finding }) => [card.name, Boolean(app.cards.get(card.name)), n > 0, lack(card, n), finding?.message, finding?.fix])]);
  let shaped = '';
  function update(cards) {
    const counts = new Map(cards.map(({ card, n }) => [card.name, n])), of = (item) => counts.get(item.dataset.card);
    for (const item of body.querySelectorAll('.stack li')) { const b = item.querySelector('.n b'); if (b) b.textContent = of(item); }
    for (const stack of body.querySelectorAll('.stack')) stack.querySelector('h2 .quiet').textContent = [...stack.querySelectorAll('li')].reduce((sum, one) => sum + of(one), 0);
  }
  function redraw() {
    const held = document.activeElement?.closest?.('#deck [data-name], #deck .row'), name = held?.dataset.name ?? held?.querySelector('[data-name]')?.dataset.name, label = document.activeElement?.getAttribute('aria-label'), top = body.scrollTop;
    draw();
    body.scrollTop = top;
    if (!held || held.isConnected) return;
    const same = label && body.querySelector(`[aria-label="${CSS.escape(label)}"]`);
    (same ?? body.querySelector(`[data-name="${CSS.escape(name ?? '')}"]`) ?? body).focus({ preventScroll: true });
  }
  app.watch(redraw);
  let wait = 0;
  addEventListener('resize', () => { if (view === 'gallery') { clearTimeout(wait); wait = setTimeout(draw, 80); } });
  draw();
}
