// All cards of the game: search and quick add, filters in labelled rows, a grid of faces or a list.
import { ask } from './carrier.js';
import { acts, row, stepper } from './cards.js';
import { button, h, longPress, pop, rove, segment, select, spoken, toast } from './dom.js';
import { watcher } from './faces.js';
import { read, write } from './memory.js';
import { brief, bucketsOf, colourOfValue, isNumber, sentence, titled, values, words } from './words.js';

const GLASS = '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true"><circle cx="7" cy="7" r="4.6"/><path d="M10.6 10.6L14 14"/></svg>';
/** The cards of one answer. */
const PAGE = 200;
/** How long scrolling rests before the room of what is seen is asked for, in milliseconds. */
const REST = 90;

/** What is typed: a number of copies, and the rest. */
const counted = (typed) => { const [, n, name] = /^\s*(\d{1,3})\s*[x×]?\s+(\D.*)$/i.exec(typed) ?? []; return { count: n ? Number(n) : null, text: (name ?? typed).trim() }; };

export function pool(root, app) {
  const { game, deck, filters: by } = app, narrow = matchMedia('(max-width: 760px)'), own = game.builder.filters.filter((field) => values(game, field).length > 1 || bucketsOf(game, field).length > 1);
  const kept = read(`decklaw/pool/${game.game}`, {}), keep = (more) => write(`decklaw/pool/${game.game}`, Object.assign(kept, more));
  let view = kept.view ?? 'grid', size = kept.size ?? 160, sort = kept.sort ?? '', found = [], cells = new Map(), counts = new Map(), total = 0, asked = 0, more = false, rest = 0, late = 0, ready = Promise.resolve(), fresh = true;
  const hint = h('span', { class: 'hint' }), list = h('div', { class: 'grid', role: 'group', 'aria-label': 'Cards of the game' }), scroll = h('div', { class: 'scroll', tabindex: -1 }, list), about = h('span', { role: 'status' });
  const input = h('input', { class: 'input', id: 'query', type: 'search', 'aria-label': 'Search cards, or add: 3 and a name', placeholder: 'Search, or add: 3 name', spellcheck: 'false', autocomplete: 'off', oninput: () => search(), onkeydown: typed });
  const rows = h('div', { class: 'filter-rows', role: 'group', 'aria-label': 'Filters' });
  const views = segment('View of the cards', [['grid', 'Cards'], ['list', 'List']], view, (v) => { view = v; keep({ view }); fill(); });
  const sorts = [['', 'name'], ...[...new Set([...game.builder.groups, ...game.builder.filters])].map((field) => [field, titled(field).toLowerCase()])];
  const order = select('Sort', sorts.map(([value, name]) => [value, `Sort: ${name}`]), sort, (value) => { sort = value; keep({ sort }); search(); });
  const slider = h('input', { class: 'wide', type: 'range', min: 100, max: 240, value: size, 'aria-label': 'Card size', oninput: () => { const was = size < 140; size = Number(slider.value); keep({ size }); list.style.setProperty('--card', `${size}px`); if (was !== size < 140) for (const cell of list.children) cell.redraw?.(); } });
  const fits = h('button', { class: 'switch wide', role: 'switch', onclick: () => by.turn('fits') }, h('i'), h('span', {}, 'Hide what cannot go in'));
  const filters = button('', () => pop(filters, popup), 'plain', { 'aria-haspopup': 'dialog', 'aria-expanded': 'false' });
  // It has its place from the beginning, so that nothing moves when it is of use.
  const wipe = button('Clear', () => { clear(); input.focus(); }, 'plain', { 'data-clear': true, disabled: true });
  root.append(h('div', { class: 'tools' }, h('div', { class: 'find', html: GLASS }, input, hint), views), rows, h('div', { class: 'counted' }, about, wipe, h('span', { class: 'grow' }), fits, filters, slider, order), scroll);
  const near = watcher(scroll), roved = rove(list, '[data-name]', () => (view === 'grid' ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1));
  list.addEventListener('leave', () => input.focus());
  const end = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting) && more) next(); }, { root: scroll, rootMargin: '900px' });

  const page = (skip) => ask({ ask: 'view', format: game.format, deck: by.fits ? deck.now : { format: game.format, sections: {} }, own: by.owned ? app.owned : undefined,
    search: { query: counted(input.value).text, filters: by.queries(), sort, skip, most: PAGE, owned: by.owned, fits: by.fits, facets: skip ? [] : [...own, ...game.builder.more] } });

  function search() {
    ready = look();
    return ready;
  }
  async function look() {
    const mine = ++asked;
    clearTimeout(late);
    late = setTimeout(() => list.classList.add('late'), 150);
    let answer;
    try { answer = (await page(0)).search; } catch (error) { answer = error; }
    if (mine !== asked) return;
    clearTimeout(late);
    list.classList.remove('late');
    found = answer.cards ?? [];
    total = answer.total ?? 0;
    more = total > found.length;
    for (const card of found) app.cards.set(card.name, card);
    counts = new Map(answer.facets?.map((one, at) => [[...own, ...game.builder.more][at], one]));
    update();
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
    roved();
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
    return h('div', { class: 'none' }, h('b', {}, message ? sentence(message) : game.cards ? 'No card matches.' : 'There is no list of cards here: type a number and a name.'), (help || notes[0] && !like) && h('span', {}, sentence(help ?? notes[0].message)),
      like && button(`Did you mean ${like}?`, () => { input.value = `${count ? `${count} ` : ''}${like}`; search(); input.focus(); }),
      game.open && input.value.trim() && button(`Add ${counted(input.value).text}`, () => typed({ key: 'Enter' }), 'main'),
      game.cards > 0 && button('Clear search and filters', clear, 'plain'));
  }
  function clear() { input.value = ''; by.clear(); }

  /** One line of filters: the field's name, then its chips or its range bar. */
  function filterRow(field) {
    const number = isNumber(game, field), box = h('div', { class: number ? 'chips bar-range' : 'chips', role: 'group', 'aria-label': titled(field) }, (number ? bucketsOf(game, field) : values(game, field).map((value) => ({ key: value, label: words(game, field, value) }))).map((one) => (number ? column : chip)(field, one)));
    rove(box, 'button')();
    return h('div', { class: 'filter-row' }, h('span', { class: 'field', 'aria-hidden': 'true', title: titled(field) }, titled(field)), box);
  }
  function chip(field, { key, label }) {
    const colour = colourOfValue(game, field, key), one = h('button', { class: 'chip', 'data-chip': `${field}:${key}`, title: 'Click: only these. Right-click: none of these.',
      onclick: () => by.toggle(field, key), oncontextmenu: (event) => { event.preventDefault(); by.exclude(field, key); }, onkeydown: (event) => { if (event.key === '-' || event.key === 'Delete') by.exclude(field, key); },
      onpointerenter: (event) => app.lookAt(`${titled(field)}: ${label}`, `1+ [${bucketsOf(game, field).find((own) => own.key === key)?.query ?? `${field}:${key}`}]`, event.currentTarget), onpointerleave: () => app.unlook() },
    colour && h('span', { class: 'dot', style: { '--c': colour } }), label, h('small'), spoken(' cards'));
    longPress(one, () => by.exclude(field, key));
    return one;
  }
  /** A column of a range bar, as high as there are cards. Click it, or drag or shift-click for a range. */
  function column(field, own) {
    const all = bucketsOf(game, field), at = all.indexOf(own), span = (from, to) => by.set(field, all.slice(Math.min(from, to), Math.max(from, to) + 1).map((one) => one.key));
    return h('button', { class: 'col', 'data-chip': `${field}:${own.key}`, onpointerdown: (event) => { column.from = event.shiftKey ? null : at; event.currentTarget.releasePointerCapture?.(event.pointerId); },
      onpointerup: () => { const { from } = column; column.from = null; if (from != null && from !== at) { span(from, at); column.dragged = true; } },
      onclick: (event) => {
        if (column.dragged) { column.dragged = false; return; }
        const on = all.map((one, i) => (by.state(field, one.key) === 'want' ? i : -1)).filter((i) => i >= 0);
        if (event.shiftKey && on.length) span(Math.min(on[0], at), Math.max(on.at(-1), at)); else if (on.length === 1 && on[0] === at) by.set(field, []); else span(at, at);
      } }, h('i'), h('span', {}, own.label), spoken(''));
  }
  const columnCount = (field, own) => Object.entries(counts.get(field) ?? {}).reduce((sum, [value, n]) => sum + (own.has(value) ? n : 0), 0);
  /** The state of each filter, and the cards that it would show besides the others. */
  function update() {
    const on = by.isOn || by.owned, hidden = by.count(game.builder.more) + Number(by.owned);
    for (const one of document.querySelectorAll('[data-chip]')) {
      const [, field, key] = /^([^:]*):(.*)$/s.exec(one.dataset.chip), state = by.state(field, key), known = counts.has(field);
      one.setAttribute('aria-pressed', state === 'not' ? 'mixed' : String(state === 'want'));
      one.classList.toggle('not', state === 'not');
      if (one.classList.contains('col')) {
        const all = bucketsOf(game, field), n = columnCount(field, all.find((own) => own.key === key)), most = Math.max(1, ...all.map((own) => columnCount(field, own)));
        one.firstChild.style.setProperty('--n', n / most);
        one.lastChild.textContent = ` ${titled(field)}, ${n} cards`;
        one.title = `${titled(field)} ${key}: ${n} cards`;
      } else {
        const n = counts.get(field)?.[key] ?? (known ? 0 : '');
        one.querySelector('small').textContent = n;
        one.classList.toggle('vain', n === 0);
      }
    }
    filters.replaceChildren(h('span', { class: 'wide' }, 'More'), h('span', { class: 'narrow' }, 'Filters'), (narrow.matches ? by.count([...own, ...game.builder.more]) + Number(by.owned) : hidden) ? h('small', {}, ` ${narrow.matches ? by.count([...own, ...game.builder.more]) + Number(by.owned) : hidden}`) : '');
    fits.setAttribute('aria-checked', String(by.fits));
    wipe.disabled = !on && !input.value;
  }
  function popup(box) {
    const turn = (words, isOn, act) => h('button', { class: 'switch', role: 'switch', 'aria-checked': String(isOn), onclick: (event) => { act(); event.currentTarget.setAttribute('aria-checked', String(event.currentTarget.getAttribute('aria-checked') !== 'true')); } }, h('i'), h('span', {}, words));
    box.append(h('div', { class: 'about filterbox' }, [...(narrow.matches ? own : []), ...game.builder.more].filter((field) => values(game, field).length).map(filterRow), h('p', { class: 'quiet' }, 'Right-click or hold a chip to exclude it.'),
      narrow.matches && turn('Hide what cannot go in', by.fits, () => by.turn('fits')),
      app.owned && turn('Only cards that I own', by.owned, () => by.turn('owned')), button(app.owned ? 'Your collection' : 'Add your cards', () => { box.close(); app.collection(); })));
    update();
  }

  const ways = ({ name }) => acts(app, name, { from: null, change: (n, element) => app.add(name, n, element), set: (n) => app.put(name, n) });
  const steps = ({ name }, kind) => stepper(name, kind, (n) => app.add(name, n), h('b', { 'data-count': name }, '0'));
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
    const box = h('div', { class: 'cell' }, face, h('span', { class: 'badge' }), h('span', { class: 'own' }), steps(card, 'step'));
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
    const face = box.querySelector('[data-name]'), section = app.goes(name), n = app.held(name), full = Boolean(section) && app.isFull(name, section), have = app.owns(name), state = `${n} ${section === null} ${full} ${have}`;
    if (box.state === state) return;
    box.state = state;
    const lacks = have !== null && n > have, owned = have === null ? '' : n ? `${Math.min(have, n)} of ${n} owned` : have ? `own ${have}` : '';
    face.querySelector('.away').textContent = `${view === 'grid' ? `${name}, ${brief(game, app.cards.get(name))}` : ''}. ${n} in deck.${owned ? ` ${owned}.` : ''}${section === null ? '' : ' Add one.'}`;
    face.classList.toggle('nowhere', section === null || full && !n);
    box.querySelector('[data-count]').textContent = n;
    const mark = box.querySelector('.badge'), own = box.querySelector('.own');
    if (!mark) return;
    own.textContent = owned;
    own.classList.toggle('lacks', lacks);
    mark.classList.toggle('max', full);
    if (mark.textContent === (n ? String(n) : '')) return;
    mark.textContent = n || '';
    mark.classList.remove('bump');
    if (app.view) requestAnimationFrame(() => mark.classList.add('bump'));
  }
  addEventListener('keydown', (event) => {
    if (event.target.closest('input, textarea, select, dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') { event.preventDefault(); app.edit(); app.tab('cards'); input.focus(); }
    if (event.key.toLowerCase() === 'v') views.querySelector('[aria-pressed=false]').click();
  });
  /** Shows the cards that some values pick, such as those that a section lacks. @param {Record<string, string[]>} want */
  app.filter = (want) => { input.value = ''; app.edit(); by.only(want); app.tab('cards'); };
  app.search = search;
  app.badges = badges;
  rows.append(...own.map(filterRow));
  // Clicks in the strip and in several chips make one question.
  by.watch(() => { update(); if (fresh) { fresh = false; queueMicrotask(() => { fresh = true; search(); }); } });
  deck.watch((what) => { if (what === 'deck' && by.fits) search(); });
  return search();
}
