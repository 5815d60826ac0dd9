// The middle pane: the deck by section, and what it is made of.
import { fill, h } from './api.js';
import { brief, fields } from './cards.js';

/** Bars of a count; the longest fills its track. @param {{key: string, value: number}[]} counts */
export function bars(counts) {
  const most = Math.max(1, ...counts.map((one) => one.value));
  const track = (value) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('aria-hidden', 'true');
    const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    rect.setAttribute('height', '100%');
    rect.setAttribute('width', `${(100 * value) / most}%`);
    svg.append(rect);
    return h('span', { class: 'track' }, svg);
  };
  return h('div', { class: 'bars' }, counts.map((one) => [h('span', {}, one.key), track(one.value), h('span', { class: 'number' }, one.value)]));
}

/** @param {any} app */
export function deckPane(app) {
  const { game } = app;
  const open = new Set();
  const body = h('div', {});
  const element = h('section', { class: 'pane', id: 'deck', 'aria-label': 'Deck' }, body);

  const row = (section, line) => {
    const card = app.cards.get(line.name);
    const room = app.roomOf(section, line.name);
    const key = `${section}/${line.name}`;
    const others = app.sections().filter((id) => id !== section && (game.open || app.roomOf(id, line.name)));
    return h('li', { class: 'item', draggable: 'true', ondragstart: (event) => event.dataTransfer.setData('text/plain', JSON.stringify([section, line.name, line.count])) },
      h('div', { class: `line${app.blamed.has(line.name) ? ' blamed' : ''}`, 'data-card': line.name },
        h('button', { class: 'step', 'data-step': '-', 'data-key': `d-${key}`, 'aria-label': `One ${line.name} fewer`, onclick: () => app.deck.add(section, line.name, -1) }, '−'),
        h('span', { class: 'count' }, line.count),
        h('button', { class: 'step', 'data-step': '+', 'data-key': `d+${key}`, 'aria-label': `One ${line.name} more`, title: room?.more === 0 ? room.message : undefined, onclick: () => app.add(line.name, section) }, '+'),
        h('button', { class: 'name', 'data-key': `dn${key}`, 'aria-expanded': String(open.has(key)), onclick: () => { open.has(key) ? open.delete(key) : open.add(key); draw(); } },
          h('span', {}, h('bdi', {}, line.name), ' ', h('span', { class: 'quiet' }, brief(card, game)))),
        h('span', { class: 'room', title: room?.message ?? 'How many more fit' }, !room ? '' : room.more === null ? '' : room.more === 0 ? 'full' : `+${room.more}`)),
      open.has(key) && [fields(card, game), others.length > 0 && h('p', { class: 'row' }, 'Move to', others.map((id) => h('button', { 'data-key': `m${key}>${id}`, onclick: () => app.deck.move(section, id, line.name, line.count) }, app.section(id))))]);
  };

  const section = (id) => {
    const lines = app.deck.now.sections[id] ?? [];
    const over = (on) => (event) => { event.preventDefault(); event.currentTarget.classList.toggle('over', on); };
    return h('div', { class: 'section', 'data-section': id, ondragover: over(true), ondragleave: over(false), ondrop: (event) => {
      over(false)(event);
      const [from, name, count] = JSON.parse(event.dataTransfer.getData('text/plain'));
      if (from !== id) app.deck.move(from, id, name, event.altKey ? 1 : count);
    } },
      h('h2', {}, h('span', {}, app.section(id)), h('span', { class: 'number' }, app.deck.total(id))),
      lines.length ? h('ul', { class: 'list' }, lines.map((line) => row(id, line))) : h('p', { class: 'empty' }, 'No cards yet.'));
  };

  /** What the deck declares of itself, where its game asks. */
  const choices = () => (game.choices ?? []).map((choice) => {
    const now = app.deck.now.choices?.[choice.name] ?? '';
    const known = choice.values.find((value) => value.toLowerCase() === String(now).toLowerCase()) ?? now;
    const attributes = { 'data-choice': choice.name, 'data-key': `c-${choice.name}`, title: choice.about, onchange: (event) => app.deck.declare(choice.name, event.currentTarget.value || null) };
    const none = choice.default ? `(${choice.default})` : '—';
    const field = choice.values.length > 0
      ? h('select', attributes, ['', ...choice.values].map((value) => h('option', { value, selected: value === known || undefined }, value || none)))
      : h('input', { ...attributes, type: 'number', min: choice.min, max: choice.max, value: now, placeholder: none });
    return h('label', {}, choice.name, ' ', field);
  });

  const draw = () => {
    const declared = choices();
    const metrics = (app.answer?.stats?.metrics ?? []).filter((metric) => metric.counts?.length);
    const sums = (app.answer?.stats?.metrics ?? []).filter((metric) => !metric.counts);
    fill(body, declared.length > 0 && h('p', { class: 'row choices' }, declared), app.sections().map(section),
      sums.length > 0 && h('p', { class: 'quiet' }, sums.map((metric) => `${metric.name}: ${metric.sum}${metric.mean === null ? '' : ` (mean ${metric.mean.toFixed(2)})`}`).join(' · ')),
      metrics.map((metric) => [h('h2', {}, metric.name), bars(metric.counts)]));
  };
  return { element, draw };
}
