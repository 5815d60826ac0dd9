// The table as it is seen from one seat: sides, the middle, the hand, and the cards in them.
import { button, h, spoken } from './dom.js';
import { titled } from './words.js';

const LEAST = 3;
const cellOf = (column, row) => String.fromCharCode(97 + column) + (row + 1);

/** Rows of zone names without zones that are not there, and without columns that are then empty.
 * @param {string[]} rows @param {number[]} columns @param {(id: string) => boolean} has */
function trimmed(rows, columns, has) {
  const cells = rows.map((row) => row.split(/\s+/).map((id) => (id !== '.' && has(id) ? id : '.')));
  const used = columns.map((_, at) => cells.some((row) => (row[at] ?? '.') !== '.'));
  const left = cells.filter((row) => row.some((id) => id !== '.')).map((row) => used.flatMap((is, at) => (is ? [row[at] ?? '.'] : [])));
  return { rows: left, columns: columns.filter((_, at) => used[at]) };
}

/** Rows of three, for a game that says nothing of its table. @param {string[]} ids */
function plainRows(ids) {
  const rows = Array.from({ length: Math.ceil(ids.length / LEAST) }, (_, at) => ids.slice(at * LEAST, at * LEAST + LEAST));
  return rows.map((row) => [...row, ...Array(LEAST - row.length).fill('.')].join(' '));
}

/**
 * How the zones of a side or of the middle are arranged.
 * @param {any} t the seat that looks @param {string | null} owner `null`: the middle @param {'rows' | 'theirs' | 'middle'} part
 */
function layoutOf(t, owner, part) {
  const ids = t.view.zones.filter((zone) => zone.owner === owner && zone.kind !== 'hand').map((zone) => zone.kind);
  const layout = t.mat && (t.phone ? t.mat.phone : t.mat.wide);
  const known = layout && (part === 'theirs' && layout.theirs?.length ? layout.theirs : part === 'middle' ? layout.middle ?? [] : layout.rows);
  const rows = known ?? plainRows(ids);
  const width = Math.max(0, ...rows.map((row) => row.split(/\s+/).length));
  const columns = layout && part !== 'middle' && layout.columns.length === width ? layout.columns : Array(width).fill(1);
  return trimmed(rows, columns, (id) => ids.includes(id));
}

/** The height of a row for each 1 of a card's: on a phone piles leave the room to zones that grow. */
const heightOf = (t, row) => (t.phone && row.every((id) => id === '.' || t.lookOf({ kind: id }).pile) ? 0.55 : 1);

/** Whether two rows or more lie under one zone. */
const isTall = (rows, id) => rows.filter((row) => row.includes(id)).length > 1;

/**
 * Draws what lies on the table.
 * @param {any} t `view`, `mat`, `seat`, `plays`, `phone`, `held`, `picks`, and how it acts: `face`, `click`,
 * `place`, `drawFrom`, `menu`, `count`, `look`, `drag`
 */
export function board(t) {
  const { view, seat } = t;
  // Two players' spectator sees one of them as a player does.
  const near = seat ?? t.lower ?? null;
  const playing = t.plays && view.phase === 'game';
  const nameOf = (letter) => (letter === seat ? 'your' : `${t.player(letter)}’s`);
  const called = (zone) => (zone.owner ? `${nameOf(zone.owner)} ${zone.name}` : zone.name);
  const hosts = (zone) => zone.cards.filter((card) => card.on === undefined);

  const cardOf = (zone, card, size) => {
    const is = t.held?.zone === zone.zone && t.held.slot === card.slot;
    const pick = t.picks?.get(`${zone.zone}/${card.slot}`);
    const counters = Object.entries(card.counters ?? {});
    const about = [card.down ? 'A card face down' : card.name, card.sideways && 'sideways', card.on !== undefined && 'attached', card.owner && card.owner !== zone.owner && `of ${t.player(card.owner)}`, ...counters.map(([name, value]) => `${name} ${value}`)].filter(Boolean);
    return h('button', {
      type: 'button', class: `card${card.sideways ? ' turned' : ''}${card.owner ? (card.owner === seat ? ' mine' : ' foe') : ''}${pick === undefined ? '' : ' choice'}`,
      'data-key': `${zone.zone}/${card.slot}`, 'data-name': card.name, 'aria-pressed': is ? 'true' : t.plays ? 'false' : null,
      draggable: playing ? 'true' : null, onclick: (event) => { event.stopPropagation(); t.click(zone, card, pick); },
      onpointerenter: () => t.look(card.name), onfocus: () => t.look(card.name), ...t.drag(zone, card),
    }, t.face(card.down ? '' : card.name, size), size === 'slice' ? h('span', { class: 'strip-name', 'aria-hidden': 'true' }, card.down ? 'Face down' : card.name) : null, counters.length ? h('span', { class: 'marks', 'aria-hidden': 'true' }, counters.map(([name, value]) => h('i', { title: name }, value))) : null,
    spoken(`${about.join(', ')}, in ${called(zone)}`));
  };

  /** A card, and what is attached to it peeking out from under it. */
  const withAttached = (zone, card, size) => [h('li', {}, cardOf(zone, card, size)),
    zone.cards.filter((other) => other.on === card.slot).map((other) => h('li', { class: 'on' }, cardOf(zone, other, size)))];

  const gridOf = (zone) => {
    const { rows, columns, home } = zone.grid;
    const isFlipped = seat === 'B' && rows > 1;
    const order = (count, back) => Array.from({ length: count }, (_, at) => (back ? count - 1 - at : at));
    const homeOf = (row) => (home && rows > 1 && [0, rows - 1].includes(row) ? Object.keys(view.seats)[row === 0 ? 0 : 1] : null);
    return h('div', { class: 'grid', role: 'group', 'aria-label': zone.name, style: { '--columns': `repeat(${columns}, 1fr)`, '--count': columns } },
      order(rows, !isFlipped).flatMap((row) => order(columns, isFlipped).map((column) => {
        const cell = cellOf(column, row);
        const owner = homeOf(row);
        const cards = hosts(zone).filter((card) => card.at === cell);
        return h('div', { class: `square${owner ? ` home ${owner === seat ? 'mine' : 'foe'}` : ''}`, 'data-cell': cell, ...t.dropped(zone, cell) },
          playing && h('button', { type: 'button', class: 'cell', 'data-key': `${zone.zone}@${cell}`, disabled: !t.held, 'aria-label': `${t.held ? 'Play on' : 'Square'} ${cell}${owner ? `, ${home} of ${t.player(owner)}` : ''}`, onclick: (event) => { event.stopPropagation(); t.place(zone, cell); } }),
          cards.length ? h('ul', {}, cards.slice(0, 1).map((card) => withAttached(zone, card))) : null,
          rows > 1 && !cards.length && h('span', { class: 'at', 'aria-hidden': 'true' }, cell));
      })),
      hosts(zone).some((card) => !card.at) && h('ul', { class: 'loose' }, hosts(zone).filter((card) => !card.at).map((card) => withAttached(zone, card))));
  };

  /** A zone of a side or of the middle. */
  const zoneOf = (zone, at, tall, height) => {
    const look = t.lookOf(zone);
    const isHidden = zone.cards === null;
    const isPile = look.pile || isHidden;
    const takes = playing && t.held && t.takes(zone);
    const over = zone.most !== null && zone.count > zone.most;
    const count = isPile || look.row || zone.count > 1 ? zone.count : '';
    // A zone that grows downwards shows a strip with the name of each card.
    const isTower = !zone.grid && !isPile && !look.row && (tall || t.phone) && zone.cards.length > 1;
    const size = tall && !isPile && zone.count === 1 ? 'full' : 'thumb';
    const inside = () => {
      if (zone.grid) return gridOf(zone);
      if (isHidden || (look.back && zone.seen === 'by-owner')) {
        const own = zone.owner === seat || !zone.owner;
        const draws = playing && zone.seen === 'by-nobody' && own;
        return h('ul', {}, zone.count ? h('li', {}, h('button', { type: 'button', class: 'card', 'data-key': draws ? `draw ${zone.zone}` : `menu ${zone.zone}`, onclick: (event) => { event.stopPropagation(); if (t.held) t.place(zone); else if (draws) t.drawFrom(zone); else t.menu(event.currentTarget, zone); } },
          t.face('', 'thumb'), spoken(`${called(zone)}, ${zone.count} cards${draws ? ': draw one' : ''}`))) : null);
      }
      const shown = isPile ? hosts(zone).slice(0, 1) : hosts(zone);
      return h('ul', isTower ? { 'data-scroll': zone.zone } : {}, shown.map((card) => withAttached(zone, card, isTower ? 'slice' : size)));
    };
    const menu = t.plays || (isPile && !isHidden);
    return h('section', {
      class: `zone${look.row ? ' strip' : ''}${isTower ? ' tower' : tall ? ' tall' : ''}${zone.grid ? ' board' : ''}${{ best: ' takes', may: ' may', can: ' can' }[takes] ?? ''}`, 'data-zone': zone.zone, 'aria-label': called(zone),
      style: { '--at': at, '--part': height }, onclick: () => { if (takes) t.place(zone); }, ...t.dropped(zone),
    }, h('h2', { title: zone.told }, menu
      ? h('button', { type: 'button', class: 'name', 'data-key': `zone ${zone.zone}`, 'aria-haspopup': 'dialog', 'aria-label': `${called(zone)}, ${zone.count} cards: more`, onclick: (event) => { event.stopPropagation(); t.menu(event.currentTarget, zone); } }, zone.name)
      : h('span', {}, zone.name), h('span', { class: over ? 'over' : null }, over || (zone.most > 1 && count !== '') ? `${zone.count}/${zone.most}` : count)), inside());
  };

  const matOf = (owner, part, isColumn = false) => {
    const layout = layoutOf(t, owner, part);
    if (!layout.rows.length) return null;
    if (isColumn) Object.assign(layout, { rows: layout.rows[0].map((id) => [id]), columns: [1] });
    const rows = part === 'theirs' ? [...layout.rows].reverse() : layout.rows;
    const areas = new Map();
    const area = (id) => { if (!areas.has(id)) areas.set(id, `z${areas.size}`); return areas.get(id); };
    const named = rows.map((row) => `"${row.map((id) => (id === '.' ? '.' : area(id))).join(' ')}"`);
    const find = (id) => view.zones.find((zone) => zone.owner === owner && zone.kind === id);
    return h('div', { class: 'mat', style: { '--columns': layout.columns.map((width) => `minmax(0, ${width}fr)`).join(' '), '--areas': named.join(' '), '--rows': t.phone && owner ? rows.map((row) => `calc(var(--ch) * ${heightOf(t, row)} + 22px)`).join(' ') : 'none' } },
      [...areas].map(([id, at]) => zoneOf(find(id), at, isTall(rows, id), owner ? Math.max(...rows.filter((row) => row.includes(id)).map((row) => heightOf(t, row))) : 1)));
  };

  const counterOf = (letter, [id, value]) => {
    const known = t.mat?.counters.find((counter) => counter.id === id);
    const [name, most] = [known?.name ?? titled(id), known?.most ?? null];
    const whose = letter === seat ? name : `${name} of ${t.player(letter)}`;
    const step = (by, sign, word) => button(sign, () => t.count(letter, id, by), '', { 'data-key': `${letter} ${id} ${by > 0 ? '+' : ''}${by}`, 'aria-label': `${whose} ${word} 1`, disabled: by < 0 ? known && value <= 0 : most !== null && value >= most });
    const text = [h('small', {}, name), h('b', {}, String(value).replace('-', '−')), most === null ? null : h('em', {}, `/${most}`)];
    return h('span', { class: 'counter', 'data-counter': id },
      playing && letter === seat ? step(-1, '−', 'minus') : null,
      playing ? h('button', { type: 'button', class: 'value', 'data-key': `${letter} ${id}`, 'aria-haspopup': 'dialog', title: `Change ${whose}`, onclick: (event) => t.counting(event.currentTarget, whose, (by) => t.count(letter, id, by)) }, text) : h('span', { class: 'value' }, text),
      playing && letter === seat ? step(1, '+', 'plus') : null);
  };

  /** Who sits there, and what is counted. */
  const whoOf = (letter, rest) => {
    const about = view.seats[letter];
    const sums = (view.sums ?? []).filter((sum) => sum.seat === letter);
    return h('div', { class: `who${letter === view.active && view.phase === 'game' ? ' turn' : ''}${Object.keys(about.counters).length + sums.length > 3 ? ' many' : ''}`, 'data-seat': letter },
      h('span', { class: 'name' }, h('i', { 'aria-hidden': 'true' }, t.player(letter).replace('Seat ', '')[0]), h('span', {}, h('bdi', {}, t.player(letter))), about.spec && h('span', { class: 'spec' }, titled(about.spec))),
      Object.entries(about.counters).map((counter) => counterOf(letter, counter)),
      sums.map((sum) => h('span', { class: 'counter sum', 'data-sum': sum.zone }, h('span', { class: 'value' }, h('small', {}, sum.called), h('b', {}, sum.total), sum.down ? h('em', {}, `+${sum.down} down`) : null))),
      rest);
  };

  const handOf = (letter) => view.zones.find((zone) => zone.owner === letter && zone.kind === 'hand');
  const heldOf = (letter) => {
    const hand = handOf(letter);
    const backs = Array.from({ length: Math.min(hand?.count ?? 0, 8) }, (_, at) => { const name = hand.cards?.[at]?.name; return h('span', { 'data-name': name }, t.face(name ?? '', 'thumb')); });
    return hand && h('span', { class: 'acts quiet' }, h('span', { class: 'backs', 'aria-hidden': 'true' }, backs),
      t.plays || hand.cards ? button(`${hand.count} in hand`, (event) => t.menu(event.currentTarget, hand), 'plain', { 'data-key': `menu ${hand.zone}`, 'aria-haspopup': 'dialog' }) : `${hand.count} in hand`,
      t.phone && button('⋯', (event) => t.zones(event.currentTarget, letter), 'plain icon', { 'data-key': `side ${letter}`, 'aria-label': `All zones of ${t.player(letter)}` }));
  };
  const sideOf = (letter) => h('section', { class: 'side theirs', 'aria-label': `Side of ${t.player(letter)}` }, whoOf(letter, heldOf(letter)), !isBeside(t) && matOf(letter, 'theirs'));

  const hand = () => {
    const zone = handOf(seat);
    const cards = zone?.cards ?? [];
    return h('ul', {}, cards.map((card, at) => h('li', { style: { '--i': at, '--n': cards.length } }, cardOf(zone, card, 'small'))));
  };

  const others = Object.keys(view.seats).filter((letter) => letter !== near);
  return {
    others: others.map(sideOf),
    middle: isBeside(t) ? [matOf(others[0], 'theirs', true), matOf(null, 'middle'), matOf(near, 'rows', true)] : matOf(null, 'middle'),
    ours: near ? (acts) => [!isBeside(t) && matOf(near, 'rows'), whoOf(near, seat ? h('span', { class: 'acts' }, acts) : heldOf(near))] : null,
    hand: seat ? hand() : null,
  };
}

/** Whether the zones of two players, a row each, have room next to a board in the middle. @param {any} t */
function isBeside(t) {
  const letters = Object.keys(t.view.seats);
  const isBoard = t.view.zones.some((zone) => !zone.owner && zone.grid?.rows > 1);
  const near = t.seat ?? t.lower ?? null;
  return isBoard && !t.phone && near !== null && letters.length === 2 && letters.every((letter) => layoutOf(t, letter, letter === near ? 'rows' : 'theirs').rows.length === 1);
}

/** The heights of cards, so that all of the table is in the window. @param {any} t @param {HTMLElement} body */
export function measure(t, body) {
  const letters = Object.keys(t.view.seats);
  const near = t.seat ?? t.lower ?? null;
  const others = letters.filter((letter) => letter !== near);
  const rows = (owner, part) => layoutOf(t, owner, part).rows;
  const beside = isBeside(t);
  const high = (owner, part) => rows(owner, part).reduce((sum, row) => sum + heightOf(t, row), 0);
  const theirs = beside ? 0 : Math.max(0, ...others.map((letter) => high(letter, 'theirs')));
  const ours = near && !beside ? high(near, 'rows') : 0;
  const headings = beside ? 0 : Math.max(0, ...others.map((letter) => rows(letter, 'theirs').length)) + (near ? rows(near, 'rows').length : 0);
  const middle = rows(null, 'middle');
  const grid = t.view.zones.find((zone) => !zone.owner && zone.grid)?.grid;
  const hand = t.seat ? Math.max(t.phone ? 130 : 150, Math.min(240, innerHeight * (t.phone ? 0.17 : 0.195))) : 0;
  const bars = (others.length ? 46 : 0) + (near ? 50 : 0);
  const squares = grid ? grid.rows : 0;
  // A zone has a heading and edges, a square its edges alone.
  const fixed = 52 + hand + bars + 34 + (t.below ?? 0) + 30 * (headings + (grid ? 1 : middle.length)) + 8 * squares;
  const weights = theirs + 1.38 * ours + (grid ? 1.1 * squares : 1.2 * middle.length);
  const unit = Math.max(30, (innerHeight - fixed) / Math.max(1, weights));
  const width = (t.phone ? innerWidth : innerWidth - 300) * (beside ? 0.64 : 1) - 30;
  const cell = grid ? Math.min(1.1 * unit, ((width * 0.98) / grid.columns - 8) * 1.4) : 0;
  // What the squares do not need is the sides'.
  const spare = grid ? Math.max(0, (1.1 * unit - cell) * squares) / Math.max(1, theirs + 1.38 * ours) : 0;
  const own = beside ? 120 : Math.min(1.38 * (unit + spare), 190);
  const other = Math.min(unit + spare, 150);
  for (const [name, value] of Object.entries({ own, other, mid: Math.min(1.2 * unit, 150), cell, hand })) body.style.setProperty(`--${name}`, `${Math.floor(value)}px`);
}
