// All cards of the game: search and quick add, filters as chips, a grid of faces or a list.
import { ask } from './carrier.js';
import { acts, row, stepper } from './cards.js';
import { button, h, pop, segment, select, spoken, toast } from './dom.js';
import { watcher } from './faces.js';
import { read, write } from './memory.js';
import { brief, colourOfValue, fieldOf, isNumber, quoted, sentence, titled, values, words } from './words.js';

const GLASS = '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true"><circle cx="7" cy="7" r="4.6"/><path d="M10.6 10.6L14 14"/></svg>';
/** The cards of one answer. */
const PAGE = 200;
/** How long scrolling rests before the room of what is seen is asked for, in milliseconds. */
const REST = 90;

/** What is typed: a number of copies, and the rest. */
const counted = (typed) => { const [, n, name] = /^\s*(\d{1,3})\s*[x×]?\s+(\D.*)$/i.exec(typed) ?? []; return { count: n ? Number(n) : null, text: (name ?? typed).trim() }; };

export function pool(root, app) {
  const { game, deck } = app, chosen = new Map(), narrow = matchMedia('(max-width: 760px)');
  const written = game.fields.filter((field) => field.kind === 'text' && field.name !== 'set').map((field) => field.name);
  let view = read('decklaw/pool', 'grid'), size = 160, sort = '', found = [], cells = new Map(), counts = new Map(), total = 0, asked = 0, more = false, rest = 0, late = 0, ready = Promise.resolve();
  const hint = h('span', { class: 'hint' }), list = h('div', { class: 'grid' }), scroll = h('div', { class: 'scroll', tabindex: -1 }, list), about = h('span', { role: 'status' });
  const input = h('input', { class: 'input', id: 'query', type: 'search', 'aria-label': 'Search cards, or add: 3 and a name', placeholder: 'Search, or add: 3 name', spellcheck: 'false', autocomplete: 'off', oninput: () => search(), onkeydown: typed });
  const chips = h('div', { class: 'filters', role: 'group', 'aria-label': 'Filters' });
  const views = segment('View of the cards', [['grid', 'Cards'], ['list', 'List']], view, (v) => { view = v; write('decklaw/pool', v); fill(); });
  const sorts = [['', 'name'], ...[...new Set([...game.builder.groups, ...game.builder.filters])].map((field) => [field, titled(field).toLowerCase()])];
  const order = select('Sort', sorts.map(([value, name]) => [value, `Sort: ${name}`]), sort, (value) => { sort = value; search(); });
  const slider = h('input', { class: 'wide', type: 'range', min: 100, max: 240, value: size, 'aria-label': 'Card size', oninput: () => { const was = size < 140; size = Number(slider.value); list.style.setProperty('--card', `${size}px`); if (was !== size < 140) for (const cell of list.children) cell.redraw?.(); } });
  const filters = button('', () => pop(filters, popup), 'plain', { 'aria-haspopup': 'dialog', 'aria-expanded': 'false' });
  // It has its place from the beginning, so that nothing moves when it is of use.
  const wipe = button('Clear', () => { clear(); input.focus(); }, 'plain', { 'data-clear': true, disabled: true });
  root.append(h('div', { class: 'tools' }, h('div', { class: 'find', html: GLASS }, input, hint), views), chips, h('div', { class: 'counted' }, about, filters, wipe, h('span', { class: 'grow' }), slider, order), scroll);
  const near = watcher(scroll);
  const end = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting) && more) next(); }, { root: scroll, rootMargin: '900px' });

  /** The chosen chips, without those of one field, and the typed words as a query; plain words are sought in names and texts. */
  function query(without = null) {
    const parts = [...chosen].filter(([field, set]) => set.size && field !== without).map(([field, set]) => (set.size > 1 ? `${field}:(${[...set].map(quoted).join(' ')})` : `${field}:${quoted([...set][0])}`));
    const { text } = counted(input.value);
    const anywhere = text.replace(/(?<![^\s(])(-?)("[^"]*"|(?!(?:and|or|not)(?![^\s)]))[^\s()":<>=!≤≥≠]+)(?![^\s)])/giu, (_, not, word) => `${not}(${[word, ...written.map((field) => `${field}:${word}`)].join(' or ')})`);
    return { query: [...parts, anywhere].filter(Boolean).join(' '), name: text };
  }
  /** Names that begin with the words first, then those that have them, then the rest. */
  function ranked(cards) {
    const text = counted(input.value).text.toLowerCase();
    if (!text || sort) return cards;
    const rank = ({ name }) => { const low = name.toLowerCase(); return low === text ? 0 : low.startsWith(text) ? 1 : low.includes(text) ? 2 : text.split(' ').every((word) => low.includes(word)) ? 3 : 4; };
    return cards.map((card, at) => [rank(card), at, card]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , card]) => card);
  }
  const page = (skip) => ask({ ask: 'view', format: game.format, deck: { format: game.format, sections: {} }, own: app.ownedOnly ? app.owned : undefined, search: { ...query(), sort, skip, most: PAGE, owned: app.ownedOnly, facets: skip ? [] : game.builder.filters.map((field) => ({ field, query: query(field).query })) } });

  function search() {
    ready = look();
    return ready;
  }
  async function look() {
    const mine = ++asked;
    drawChips();
    clearTimeout(late);
    late = setTimeout(() => list.classList.add('late'), 150);
    let answer;
    try { answer = (await page(0)).search; } catch (error) { answer = error; }
    if (mine !== asked) return;
    clearTimeout(late);
    list.classList.remove('late');
    found = answer.cards ? ranked(answer.cards) : [];
    total = answer.total ?? 0;
    more = total > found.length;
    for (const card of found) app.cards.set(card.name, card);
    counts = new Map(answer.facets?.map((one, at) => [game.builder.filters[at], one]));
    for (const one of chips.querySelectorAll('[data-chip]')) count(one);
    fill(answer);
  }
  async function next() {
    more = false;
    const mine = asked;
    const { search: answer } = await page(found.length).catch(() => ({ search: { cards: [], total } }));
    if (mine !== asked) return;
    for (const card of answer.cards) app.cards.set(card.name, card);
    found.push(...answer.cards);
    more = found.length < total && answer.cards.length > 0;
    list.querySelector('.end')?.remove();
    list.append(...answer.cards.map(make), ending());
  }
  const make = (card) => (view === 'grid' ? cell(card) : line(card));
  const ending = () => { const mark = h('div', { class: 'end' }); end.observe(mark); return mark; };

  function fill(answer = {}) {
    near.disconnect();
    end.disconnect();
    cells.clear();
    app.visible.clear();
    for (const card of found.slice(0, 12)) app.visible.add(card.name);
    list.className = view === 'grid' ? 'grid' : 'rows';
    list.style.setProperty('--card', `${size}px`);
    list.replaceChildren(...(found.length ? [...found.map(make), ending()] : [none(answer)]));
    scroll.scrollTop = 0;
    const { count } = counted(input.value), top = found[0];
    hint.className = `hint${count && top ? ' does' : ''}`;
    hint.textContent = count && top ? `⏎ adds ${count} × ${top.name}` : input.value ? '' : '/';
    const words = `${total} of ${game.cards} cards`;
    if (about.textContent !== words) about.textContent = words;
    app.refresh();
    badges();
  }
  function none({ message, help, near: like, notes = [] }) {
    const { count } = counted(input.value);
    like ??= /did you mean `([^`]+)`/.exec(notes[0]?.message ?? '')?.[1];
    return h('div', { class: 'none' }, h('b', {}, message ?? (game.cards ? 'No card matches.' : 'There is no list of cards here: type a number and a name.')), (help || notes[0] && !like) && h('span', {}, sentence(help ?? notes[0].message)),
      like && button(`Did you mean ${like}?`, () => { input.value = `${count ? `${count} ` : ''}${like}`; search(); input.focus(); }),
      game.open && input.value.trim() && button(`Add ${counted(input.value).text}`, () => typed({ key: 'Enter' }), 'main'),
      game.cards > 0 && button('Clear search and filters', clear, 'plain'));
  }
  function clear() { input.value = ''; chosen.clear(); app.ownedOnly = false; return search(); }

  function chip(field, value, then = () => chips.querySelector(`[data-chip="${CSS.escape(`${field}:${value}`)}"]`)?.focus()) {
    const set = chosen.get(field) ?? new Set(), number = isNumber(game, field), colour = colourOfValue(game, field, value), n = fieldOf(game, field).values.find(([one]) => one === value)?.[1];
    const toggle = () => { if (!set.delete(value)) set.add(value); chosen.set(field, set); search(); then(); };
    return h('button', { class: `chip${number ? ' num' : ''}`, 'aria-pressed': String(set.has(value)), 'data-chip': `${field}:${value}`, onclick: toggle, onpointerenter: (event) => app.lookAt(`${titled(field)}: ${words(game, field, value)}`, `1+ [${field}:${quoted(value)}]`, event.currentTarget), onpointerleave: app.unlook },
      colour && h('span', { class: 'dot', style: { '--c': colour } }), words(game, field, value), number ? spoken(` ${titled(field)}, ${n} cards`) : [h('small', { style: { 'min-width': `${String(n).length}ch` } }, n), spoken(' cards')]);
  }
  /** The cards that a chip would show besides the other filters. */
  function count(one) {
    const [, field, value] = /^([^:]*):(.*)$/s.exec(one.dataset.chip), n = counts.get(field)?.[value] ?? (counts.has(field) ? 0 : null), small = one.querySelector('small');
    one.classList.toggle('vain', n === 0);
    if (n !== null && small) small.textContent = n;
  }
  function popup(box) {
    const draw = () => box.replaceChildren(h('div', { class: 'about filterbox' }, (narrow.matches ? [...game.builder.filters, ...game.builder.more] : game.builder.more).filter((field) => values(game, field).length).map((field) => [h('h3', {}, titled(field)), h('div', { class: 'filters' }, values(game, field).map((value) => chip(field, value, () => { draw(); box.querySelector(`[data-chip="${CSS.escape(`${field}:${value}`)}"]`)?.focus(); })))]),
      h('h3', {}, 'Collection'), h('div', { class: 'filters' }, h('button', { class: 'chip', 'aria-pressed': String(app.ownedOnly), onclick: async () => { if (!app.owned) { box.close(); return app.collection(); } app.ownedOnly = !app.ownedOnly; search(); draw(); } }, 'Only cards that I own'), h('button', { class: 'chip', onclick: () => { box.close(); app.collection(); } }, app.owned ? 'Change' : 'Add your cards'))));
    draw();
  }
  function drawChips() {
    const on = [...chosen.values()].some((set) => set.size) || app.ownedOnly;
    const n = game.builder.more.reduce((sum, field) => sum + (chosen.get(field)?.size ?? 0), 0) + Number(app.ownedOnly);
    filters.replaceChildren(h('span', { class: 'wide' }, 'More filters'), h('span', { class: 'narrow' }, 'Filters'), n ? h('small', {}, ` ${n}`) : '');
    chips.replaceChildren(...game.builder.filters.filter((field) => values(game, field).length > 1).flatMap((field, at) => [at ? h('span', { class: 'gap' }) : '', ...values(game, field).map((value) => chip(field, value))]).filter(Boolean));
    for (const one of chips.querySelectorAll('[data-chip]')) count(one);
    wipe.disabled = !on && !input.value;
  }

  const step = (from, across, down) => {
    const columns = view === 'grid' ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1;
    const all = [...list.querySelectorAll('[data-name]')], at = all.indexOf(from) + across + down * columns;
    return all[at] ?? (at < 0 ? input : null);
  };
  const ways = ({ name }) => acts(app, name, { from: null, change: (by) => app.add(name, by), set: (n) => app.put(name, n), step });
  const steps = ({ name }, kind, more) => stepper(name, kind, (by) => app.add(name, by), h('b', { 'data-count': name }, '0'), more);
  /** What an element does as it comes near to the window or leaves it. */
  function lively(box, card, draw) {
    box.near = (is) => {
      if (is) { app.visible.add(card.name); badge(card.name); draw(); } else app.visible.delete(card.name);
      clearTimeout(rest);
      rest = setTimeout(() => { if ([...app.visible].some((name) => !app.seen.has(name))) app.refresh(); }, REST);
    };
    cells.set(card.name, box);
    near.observe(box);
    return box;
  }
  function cell(card) {
    const face = h('button', { ...ways(card), class: 'card' }, spoken(`${card.name}, ${brief(game, card)}`));
    const box = h('div', { class: 'cell' }, face, h('span', { class: 'badge' }), steps(card, 'step', { tabindex: -1 }));
    const draw = () => app.faces.draw(face, card.name, size < 140 ? 'small' : 'full');
    box.redraw = () => { if (face.dataset.face) draw(); };
    return lively(box, card, draw);
  }
  function line(card) {
    const box = row(app, card, ways(card), brief(game, card), steps(card, 'by'));
    return lively(box, card, async () => {
      const face = await app.faces.draw(box.firstChild, card.name, 'slice');
      if (face) box.querySelector('small').textContent = [face.kind, ...face.text].filter(Boolean).join(' · ');
    });
  }

  async function typed(event) {
    if (event.key === 'ArrowDown') { event.preventDefault(); list.querySelector('[data-name]')?.focus(); }
    if (event.key === 'Escape') clear();
    if (event.key !== 'Enter') return;
    await ready;
    const { count, text } = counted(input.value), card = found[0] ?? (game.open && text ? { name: text } : null);
    if (!card) return;
    if (!count && !game.open) { list.querySelector('[data-name]')?.focus(); return; }
    if (app.goes(card.name) === undefined) await app.refresh();
    const added = app.add(card.name, count ?? 1);
    if (added) toast(`Added ${added} × ${card.name}.${count && added < count ? ' That is the limit.' : ''}`, () => deck.undo());
    input.value = '';
    search();
  }
  /** The numbers of the cards near the window; those of others are drawn as they come near. */
  const badges = () => { for (const name of app.visible) badge(name); };
  function badge(name) {
    const box = cells.get(name);
    if (!box) return;
    const face = box.querySelector('[data-name]'), section = app.goes(name), n = app.held(name), full = Boolean(section) && app.isFull(name, section), state = `${n} ${section === null} ${full}`;
    if (box.state === state) return;
    box.state = state;
    face.querySelector('.away').textContent = `${view === 'grid' ? `${name}, ${brief(game, app.cards.get(name))}` : ''}. ${n} in deck.${section === null ? '' : ' Add one.'}`;
    face.classList.toggle('nowhere', section === null || full && !n);
    box.querySelector('[data-count]').textContent = n;
    const mark = box.querySelector('.badge');
    if (!mark) return;
    mark.classList.toggle('max', full);
    if (mark.textContent === (n ? String(n) : '')) return;
    mark.textContent = n || '';
    mark.classList.remove('bump');
    if (app.view) requestAnimationFrame(() => mark.classList.add('bump'));
  }
  addEventListener('keydown', (event) => {
    if (event.target.closest('input, textarea, select, dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') { event.preventDefault(); app.tab('cards'); input.focus(); }
    if (event.key.toLowerCase() === 'v') views.querySelector('[aria-pressed=false]').click();
  });
  /** Shows the cards that a query names, such as those that a section lacks. @param {Record<string, string[]>} want */
  app.filter = (want) => { input.value = ''; chosen.clear(); for (const [field, all] of Object.entries(want)) chosen.set(field, new Set(all)); search(); app.tab('cards'); };
  app.search = search;
  app.badges = badges;
  return search();
}
