// The left pane: which cards there are, and what of them still fits.
import { cardOf } from './card.js';
import { ask, dialog, failed, fill, h, rows, say, write, wrong } from './api.js';

/** A value as the query language takes it. @param {string} value */
export const quoted = (value) => (/^[\p{L}\p{N}_-]+$/u.test(value) && !/^(and|or|not)$/i.test(value) && !value.startsWith('-') ? value : `"${value}"`);

/** A card as it is printed, or else its fields, in their order. @param {any} card @param {any} app */
export function fields(card, app) {
  if (!card) return h('p', { class: 'quiet' }, 'This game has no such card.');
  const place = h('div', {}, listed(card, app.game));
  app.faceOf(card.name).then((face) => fill(place, cardOf(face)), () => { /* the fields stay */ });
  return place;
}

function listed(card, game) {
  const shown = game.fields.filter((field) => card[field.name] !== undefined);
  if (!shown.length) return h('p', { class: 'quiet' }, 'Nothing more is known of this card.');
  return h('dl', { class: 'fields' }, shown.map((field) => [h('dt', {}, field.name), h('dd', {}, h('bdi', {}, [card[field.name]].flat().join('; ')))]));
}

/** A value of a field where the field's name does not stand beside it: what is a matter of yes and no is
 * called by the name. @param {string} field @param {string} value */
export const spoken = (field, value) => (value === 'true' ? field : value === 'false' ? `not ${field}` : value);

/** The few words that tell a card at a glance: what it is, and its first numbers. */
export function brief(card, game) {
  if (!card) return '';
  const short = game.fields.filter((field) => field.values.length > 1 && field.kind !== 'list' && field.kind !== 'text' && card[field.name] !== undefined);
  const said = short.filter((field) => String(card[field.name]) !== 'false').slice(0, 3);
  return said.map((field) => (field.kind === 'number' ? `${field.name} ${card[field.name]}` : spoken(field.name, String(card[field.name])))).join(' · ');
}

/** @param {any} app */
export function cardsPane(app) {
  const { game } = app;
  const open = new Set();
  let timer = 0;
  const search = h('input', { id: 'query', type: 'search', 'aria-label': 'Search cards', placeholder: 'Search: a name, or type:… cost>=2', autocomplete: 'off', spellcheck: 'false', value: app.find.query,
    oninput: () => { clearTimeout(timer); timer = setTimeout(() => look({ query: query() }), 60); },
    onkeydown: (event) => { if (event.key === 'Enter' || event.key === 'ArrowDown') { event.preventDefault(); element.querySelector('.line .name')?.focus(); } } });
  const look = (find) => {
    app.find = { ...app.find, most: 60, ...find };
    drawFacets();
    app.ask();
  };

  /** The choices of a field that stand in the query, and the query with others. */
  const chosen = (field) => {
    const found = new RegExp(`(?:^|\\s)${field}:(\\(([^)]*)\\)|"[^"]*"|[^\\s()]+)`).exec(search.value);
    if (!found) return { text: null, values: [] };
    const inside = found[2] ?? found[1];
    return { text: found[0], values: [...inside.matchAll(/"([^"]*)"|(\S+)/g)].map((one) => one[1] ?? one[2]) };
  };
  const toggle = (field, value) => {
    const { text, values } = chosen(field);
    const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
    const word = next.length === 0 ? '' : next.length === 1 ? `${field}:${quoted(next[0])}` : `${field}:(${next.map(quoted).join(' ')})`;
    search.value = (text === null ? `${search.value} ${word}` : search.value.replace(text, ` ${word}`)).replace(/\s+/g, ' ').trim();
    look({ query: query() });
  };

  // Plain words are sought in the names alone, or in all that is written on a card.
  const written = game.fields.filter((field) => field.kind === 'text').map((field) => field.name);
  let all = false;
  const query = () => (!all ? search.value : search.value.replace(/(?<![^\s(])(-?)("[^"]*"|(?!(?:and|or|not)(?![^\s)]))[^\s()":<>=!≤≥≠]+)(?![^\s)])/giu, (_, not, word) => `${not}(${[word, ...written.map((field) => `${field}:${word}`)].join(' or ')})`));
  const everywhere = h('button', { class: 'chip', 'data-key': 'all-text', 'aria-pressed': 'false', onclick: () => {
    all = !all;
    everywhere.setAttribute('aria-pressed', String(all));
    look({ query: query() });
  } }, 'Search the whole text');

  const facets = h('div', {});
  const drawFacets = () => fill(facets, game.fields.filter((field) => field.values.length > 1).map((field) => {
    const { values } = chosen(field.name);
    return h('div', { class: 'facet', role: 'group', 'aria-label': field.name }, h('span', {}, field.name),
      field.values.map(([value, count]) => h('button', { class: 'chip', 'data-key': `${field.name}=${value}`, 'aria-pressed': String(values.includes(value)), onclick: () => toggle(field.name, value) }, value, h('span', { class: 'quiet' }, count))));
  }));

  const sort = h('select', { 'aria-label': 'Sort by', onchange: () => look({ sort: sort.value }) },
    h('option', { value: '' }, 'by name'), game.fields.filter((field) => field.kind !== 'query' && field.values.length > 1).map((field) => h('option', { value: field.name }, `by ${field.name}`)));
  const target = h('select', { 'aria-label': 'Cards go to', onchange: () => { app.into = target.value; app.ask(); } });
  const own = h('button', { class: 'chip', 'aria-pressed': 'false', onclick: () => collection(app, () => {
    own.setAttribute('aria-pressed', String(!app.find.own));
    look({ own: !app.find.own });
  }) }, 'What I own');
  const list = h('ul', { class: 'list' });
  const about = h('p', { class: 'quiet', role: 'status' });
  const many = game.cards > 0;
  const element = h('section', { class: 'pane', id: 'cards', 'aria-label': 'Cards' },
    many && h('div', { class: 'search' }, search, h('button', { 'aria-label': 'Help with searching', onclick: () => help(game) }, '?')),
    many && h('details', { class: 'facets', open: innerWidth > 900 }, h('summary', {}, 'Filter'), facets),
    h('div', { class: 'row' }, many && sort, h('label', {}, 'to ', target), many && written.length > 0 && everywhere, many && own),
    !many && byName(app),
    about, list);
  drawFacets();

  /** All that the row of a card shows. */
  const seen = ({ name }) => {
    const section = app.goes(name);
    const room = section && app.roomOf(section, name);
    return { name, section, held: section ? app.deck.count(section, name) : 0, more: room?.more, why: room?.message, unfolded: open.has(name) };
  };
  const lines = rows(({ name, section, held, more, why, unfolded }) => {
    const card = app.cards.get(name);
    const full = more === 0;
    return h('li', { class: 'item', draggable: 'true', ondragstart: (event) => event.dataTransfer.setData('text/plain', JSON.stringify([null, name, 1])) },
      h('div', { class: 'line' },
        h('button', { class: 'step', 'data-step': '+', 'data-key': `c+${card.name}`, 'aria-label': `One ${card.name} more to ${app.section(section)}`, title: full ? why : undefined, disabled: !section, onclick: () => app.add(card.name) }, '+'),
        h('button', { class: 'name', 'data-key': `cn${card.name}`, 'data-look': card.name, 'aria-expanded': String(unfolded), onclick: () => { open.has(card.name) ? open.delete(card.name) : open.add(card.name); draw(); } },
          h('span', {}, h('bdi', {}, card.name), ' ', h('span', { class: 'quiet' }, brief(card, game)))),
        held > 0 && [h('span', { class: 'held' }, held), h('button', { class: 'step', 'data-step': '-', 'data-key': `c-${card.name}`, 'aria-label': `One ${card.name} fewer`, onclick: () => app.deck.add(section, card.name, -1) }, '−')],
        h('span', { class: 'room', title: full ? why : 'How many more fit' }, !section ? '' : more === null || more === undefined ? '∞' : full ? 'full' : `+${more}`)),
      unfolded && fields(card, app));
  });

  const draw = () => {
    const { found } = app;
    const sections = app.sections();
    if (target.options.length !== sections.length) fill(target, sections.map((id) => h('option', { value: id }, app.section(id))));
    target.value = app.into;
    if (!many) return;
    if (failed(found)) {
      about.className = 'message';
      about.textContent = wrong(found);
      return;
    }
    about.className = 'quiet';
    write(about, found ? [`${found.total} of ${game.cards} cards`, ...(all ? [] : found.notes ?? [])].join(' · ') : '');
    fill(list, lines((found?.cards ?? []).map(seen)),
      found && found.total > found.cards.length && h('li', {}, h('button', { 'data-key': 'more-cards', onclick: () => look({ most: Math.min(200, app.find.most + 70) }) }, found.cards.length >= 200 ? 'Search to see the others' : 'More cards')));
  };
  return { element, draw };
}

/** Without a pool a card is whatever is typed. */
function byName(app) {
  const name = h('input', { 'aria-label': 'Name of a card', placeholder: 'Name of a card', id: 'query' });
  const section = h('input', { 'aria-label': 'Section', placeholder: 'main', value: app.target });
  return h('form', { class: 'row', onsubmit: (event) => {
    event.preventDefault();
    if (name.value.trim()) app.deck.add(section.value.trim().toLowerCase() || 'main', name.value.trim(), 1);
    name.value = '';
  } }, name, section, h('button', {}, 'Add'));
}

/** Asks for a collection where there is none yet. */
async function collection(app, then) {
  const known = localStorage.getItem(`owned-${app.game.game}`);
  if (known) return then();
  ownDialog(app, then);
}

export function ownDialog(app, then) {
  const text = h('textarea', { rows: 10, 'aria-label': 'Collection', placeholder: 'count,name\n3,Rain Caller', spellcheck: 'false' });
  const file = h('input', { type: 'file', 'aria-label': 'A file', accept: '.csv,.txt', onchange: async () => { text.value = await file.files[0]?.text() ?? ''; } });
  const box = dialog('What you own', h('p', {}, 'A table with the columns count and name. It is kept for this browser alone.'), file, text,
    h('p', { class: 'row' }, h('button', { class: 'primary', onclick: async () => {
      try {
        const told = await ask('POST', '/api/collection', { format: app.game.format, table: text.value });
        localStorage.setItem(`owned-${app.game.game}`, 'yes');
        box.close();
        say(`${told.copies} copies of ${told.cards} cards${told.unknown.length ? `; unknown here: ${told.unknown.slice(0, 3).join(', ')}${told.unknown.length > 3 ? '…' : ''}` : ''}`);
        // What is owned may be what is looked for.
        app.find = { ...app.find };
        then ? then() : app.ask();
      } catch (error) { say(error.message); }
    } }, 'Keep it')));
}

function help(game) {
  const first = game.fields.find((field) => field.values.length > 1);
  const number = game.fields.find((field) => field.kind === 'number');
  const rows = [['rain', 'cards whose names contain it'], ['"Rain Caller"', 'the card of this name'],
    first && [`${first.name}:${quoted(first.values[0][0])}`, `cards with this ${first.name}`],
    first && [`${first.name}:(${first.values.slice(0, 2).map(([value]) => quoted(value)).join(' ')})`, 'either'],
    first && [`-${first.name}:${quoted(first.values[0][0])}`, 'the others'],
    number && [`${number.name}>=3`, 'by number: = != < <= > >='], ['a or b', 'one or the other; a space means and']].filter(Boolean);
  dialog('Searching', h('table', {}, rows.map(([query, what]) => h('tr', {}, h('td', {}, h('code', {}, query)), h('td', {}, what)))),
    h('p', {}, 'Fields: ', game.fields.map((field) => field.name).join(', ')));
}
