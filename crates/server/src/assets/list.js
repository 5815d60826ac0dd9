// The middle pane: the deck by section, and what it is made of.
import { fill, h, rows, told, write } from './api.js';
import { brief, fields } from './cards.js';
import { given } from './deck.js';

/** What draws each of some things, made when it is first drawn. @param {(id: string) => (about?: any) => HTMLElement} make */
function each(make) {
  const made = new Map();
  return (id, about) => {
    if (!made.has(id)) made.set(id, make(id));
    return made.get(id)(about);
  };
}

/** Counts of whole numbers with those between them, as a curve has them; others as they are. */
function whole(counts) {
  const numbers = counts.map((one) => Number(one.key));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (!counts.length || !numbers.every(Number.isInteger) || most - least > 15) return null;
  return Array.from({ length: most - least + 1 }, (_, at) => ({ key: String(least + at), value: counts.find((one) => Number(one.key) === least + at)?.value ?? 0 }));
}

/** Draws counts as bars, those of numbers upright; each is made anew where it is another, and the
 * longest fills its track. */
function measure() {
  const place = h('div', { class: 'bars' });
  const head = h('h2', {});
  const element = h('div', { class: 'metric' }, head, place);
  const lines = rows(({ key, value }) => {
    const bar = h('span', {});
    bar.style.setProperty('--share', `calc(100% * ${value} / var(--most))`);
    return [h('span', {}, key), h('span', { class: 'track', 'aria-hidden': 'true' }, bar), h('span', { class: 'number' }, value)];
  });
  return ({ name, counts }) => {
    write(head, name);
    const curve = whole(counts);
    place.classList.toggle('curve', curve !== null);
    place.style.setProperty('--most', String(Math.max(1, ...counts.map((one) => one.value))));
    fill(place, lines(curve ?? counts));
    return element;
  };
}

/** @param {any} app */
export function deckPane(app) {
  const { game } = app;
  const open = new Set();
  const body = h('div', {});
  const element = h('section', { class: 'pane', id: 'deck', 'aria-label': 'Deck' }, body);

  /** All that the row of a card shows. */
  const seen = (section, line) => {
    const room = app.roomOf(section, line.name);
    return { section, line, known: app.cards.has(line.name), more: room?.more, why: room?.message, blamed: app.blamed.has(line.name), unfolded: open.has(`${section}/${line.name}`),
      others: app.takes(line.name).filter((id) => id !== section) };
  };
  const row = ({ section, line, more, why, blamed, unfolded, others }) => {
    const card = app.cards.get(line.name);
    const key = `${section}/${line.name}`;
    return h('li', { class: 'item', draggable: 'true', ondragstart: (event) => event.dataTransfer.setData('text/plain', JSON.stringify([section, line.name, line.count])) },
      h('div', { class: `line${blamed ? ' blamed' : ''}`, 'data-card': line.name, 'data-section': section },
        h('button', { class: 'step', 'data-step': '-', 'data-key': `d-${key}`, 'aria-label': `One ${line.name} fewer`, onclick: () => app.deck.add(section, line.name, -1) }, '−'),
        h('span', { class: 'count' }, line.count),
        h('button', { class: 'step', 'data-step': '+', 'data-key': `d+${key}`, 'aria-label': `One ${line.name} more`, title: more === 0 ? why : undefined, onclick: () => app.add(line.name, section) }, '+'),
        h('button', { class: 'name', 'data-key': `dn${key}`, 'data-look': line.name, 'aria-expanded': String(unfolded), onclick: () => { open.has(key) ? open.delete(key) : open.add(key); draw(); } },
          h('span', {}, h('bdi', {}, line.name), ' ', h('span', { class: 'quiet' }, brief(card, game)))),
        h('span', { class: 'room', title: why ?? 'How many more fit' }, typeof more !== 'number' ? '' : more === 0 ? 'full' : `+${more}`)),
      unfolded && [fields(card, app), others.length > 0 && h('p', { class: 'row' }, 'Move to', others.map((id) => h('button', { 'data-key': `m${key}>${id}`, onclick: () => app.deck.move(section, id, line.name, line.count) }, app.section(id))))]);
  };

  // How the deck is shown: by which field in groups, and in which order.
  const store = `shown-${game.format}`;
  const shown = { group: '', sort: '', ...JSON.parse(localStorage.getItem(store) ?? '{}') };
  const valueOf = (line, field) => [app.cards.get(line.name)?.[field] ?? ''].flat();
  /** Numbers by what they are, words by their letters; what has none comes last. */
  const order = (one, other) => (one === other ? 0 : one === '' ? 1 : other === '' ? -1 : String(one).localeCompare(String(other), undefined, { numeric: true }));
  const sorted = (held) => {
    if (!shown.sort) return held;
    const key = { name: (line) => line.name, count: (line) => -line.count }[shown.sort] ?? ((line) => valueOf(line, shown.sort).join(' '));
    return [...held].sort((one, other) => order(key(one), key(other)));
  };
  /** The lines of a section in groups, each with what it has in common. */
  const grouped = (held) => {
    if (!shown.group) return [['', sorted(held)]];
    const groups = Map.groupBy ? Map.groupBy(held, (line) => valueOf(line, shown.group).join(' · ')) : held.reduce((all, line) => {
      const key = valueOf(line, shown.group).join(' · ');
      return all.set(key, [...all.get(key) ?? [], line]);
    }, new Map());
    return [...groups].sort(([one], [other]) => order(one, other)).map(([key, lines]) => [key || `no ${shown.group}`, sorted(lines)]);
  };
  const choose = (what, name, none, more) => h('label', {}, `${name} `, h('select', { 'data-key': `show-${what}`, onchange: (event) => {
    shown[what] = event.target.value;
    localStorage.setItem(store, JSON.stringify(shown));
    draw();
  } }, [['', none], ...more].map(([value, word]) => h('option', { value, selected: value === shown[what] || undefined }, word))));
  const fieldsOf = game.fields.filter((field) => field.kind !== 'query' && field.kind !== 'text').map((field) => [field.name, field.name]);
  const showing = fieldsOf.length ? h('p', { class: 'row' }, choose('group', 'In groups by', 'nothing', fieldsOf), choose('sort', 'in order of', 'the list', [['name', 'name'], ['count', 'copies'], ...fieldsOf])) : null;

  const section = each((id) => {
    const over = (on) => (event) => { event.preventDefault(); event.currentTarget.classList.toggle('over', on); };
    const lines = rows(row);
    const box = h('div', { class: 'section', 'data-section': id, ondragover: over(true), ondragleave: over(false), ondrop: (event) => {
      over(false)(event);
      const [from, name, count] = JSON.parse(event.dataTransfer.getData('text/plain'));
      // From the pool one copy comes.
      if (from === null) app.add(name, id);
      else if (from !== id) app.deck.move(from, id, name, event.altKey ? 1 : count);
    } });
    const number = h('span', { class: 'number' });
    const head = h('h2', {}, h('span', {}, app.section(id)), number);
    const list = h('ul', { class: 'list' });
    const empty = h('p', { class: 'empty' }, 'No cards yet.');
    return () => {
      const held = app.deck.now.sections[id] ?? [];
      write(number, String(app.deck.total(id)));
      const heads = grouped(held);
      const made = lines(heads.flatMap(([, group]) => group.map((line) => seen(id, line))));
      let at = 0;
      fill(list, heads.map(([name, group]) => [shown.group && h('li', { class: 'group' }, h('h3', {}, h('bdi', {}, name), ' ', h('span', { class: 'number' }, group.reduce((sum, line) => sum + line.count, 0)))), made.slice(at, at += group.length)]));
      fill(box, head, held.length ? list : empty);
      return box;
    };
  });
  const bars = each(measure);

  /** A field for one of some words, or for a number. */
  const field = (one, words, now, none, set) => {
    const known = words.find((value) => value.toLowerCase() === String(now).toLowerCase()) ?? now;
    const attributes = { 'data-setting': one.name, 'data-key': `setting-${one.name}`, title: one.about, onchange: ({ currentTarget: at }) => { if (at.reportValidity()) set(one.name, at.value || null); } };
    return h('label', {}, one.name.replaceAll('_', ' '), ' ', words.length > 0
      ? h('select', attributes, ['', ...words].map((value) => h('option', { value, selected: value === known || undefined }, value || none)))
      : h('input', { ...attributes, type: 'number', min: one.min, max: one.max, value: now, placeholder: none }));
  };

  /** What is an organiser's to give, where the rules leave something open: for this deck alone. A file has no place for it. */
  const headline = h('summary', {});
  const asked = game.settings.map((one) => field(one, one.choices, '', one.now ? `(${one.now})` : 'open', (...to) => app.deck.give(...to)));
  const organisers = h('details', {}, headline,
    h('p', { class: 'quiet' }, 'An organiser gives them. What you set here goes with this deck, its links and its copies; an event and a table judge by their own.'),
    game.settings.map((one, at) => [h('p', { class: 'choices' }, asked[at]), h('p', { class: 'quiet' }, told(one.about))]));
  const settings = () => {
    if (!game.settings.length || app.deck.place === 'file') return false;
    write(headline, `Settings: ${given(app.deck.now) || 'those of this site'}`);
    // What is being typed stays as it is.
    for (const one of organisers.querySelectorAll('[data-setting]')) if (one !== document.activeElement) one.value = app.deck.now.settings?.[one.dataset.setting] ?? '';
    return organisers;
  };

  const draw = () => {
    const metrics = (app.answer?.stats?.metrics ?? []).filter((metric) => metric.counts?.length);
    const sums = (app.answer?.stats?.metrics ?? []).filter((metric) => !metric.counts);
    fill(body, settings(), showing, app.sections().map((id) => section(id)),
      sums.length > 0 && h('p', { class: 'quiet metric' }, sums.map((metric) => `${metric.name}: ${metric.sum}${metric.mean === null ? '' : ` (mean ${metric.mean.toFixed(2)})`}`).join(' · ')),
      metrics.map((metric) => bars(metric.id, metric)));
  };
  return { element, draw };
}
