// What lies on a table, and what may be done with it: cards, zones, counters, and their menus.
import { dialog, h } from './api.js';
import { cardOf as faceOf } from './card.js';

/** A name as a move takes it. @param {string} name */
export const quoted = (name) => (/\s/.test(name) ? `"${name}"` : name);
const cellOf = (column, row) => String.fromCharCode(97 + column) + (row + 1);
/** A pile in sight of more cards than FOLD is folded to the TOP ones that were laid last. */
const [FOLD, TOP] = [12, 5];
const spoken = (name) => name.replaceAll('_', ' ');

/**
 * Draws a table for the seat that looks at it.
 * @param {any} t the seat: `seat`, `view`, `held`, `down`, `known` faces, `open` zones, and how it
 * acts: `move`, `act`, `draw`, `text`
 */
export function board(t) {
  const { view, seat, plays, held } = t;
  const playing = plays && view.phase === 'game';
  const letters = Object.keys(view.seats);
  const own = (zone) => zone.owner === seat;
  const isHand = (zone) => own(zone) && zone.zone.endsWith('.hand');
  /** Whether this seat alone sees into it, and it is no hand: a side deck. */
  const aside = (zone) => own(zone) && zone.private && zone.cards !== null && !isHand(zone);
  const zoneOf = (name) => view.zones.find((zone) => zone.zone === name);

  /** Lays the card that is held somewhere. @param {string} zone @param {string} [where] */
  const lay = (zone, where = '') => {
    if (t.held) t.move(`move ${quoted(t.held.zone)} ${t.held.slot} ${quoted(zone)} ${where} ${t.down ? 'down' : ''}`.trim());
  };

  /** Lets cards be dropped on an element. */
  const target = (element, zone, where) => {
    if (!playing) return element;
    element.addEventListener('dragover', (event) => { event.preventDefault(); element.classList.add('over'); });
    element.addEventListener('dragleave', () => element.classList.remove('over'));
    element.addEventListener('drop', (event) => {
      event.preventDefault();
      event.stopPropagation();
      element.classList.remove('over');
      const [from, slot] = JSON.parse(event.dataTransfer.getData('text/plain') || 'null') ?? [];
      if (from === undefined) return;
      t.held = { zone: from, slot };
      lay(zone, where);
    });
    return element;
  };

  const click = (zone, card) => {
    const picked = t.held && t.held.zone === zone.zone && t.held.slot === card.slot;
    if (t.held?.attaching && !picked) {
      const { zone: from, slot } = t.held;
      return t.move(`attach ${quoted(from)} ${slot} ${quoted(zone.zone)} ${card.slot} ${t.down ? 'down' : ''}`.trim());
    }
    t.held = picked ? null : { zone: zone.zone, slot: card.slot, name: card.name };
    t.draw();
  };

  const cardOf = (zone, card) => {
    const picked = held && held.zone === zone.zone && held.slot === card.slot;
    const counters = Object.entries(card.counters ?? {}).map(([name, value]) => `${spoken(name)} ${value}`);
    const about = [card.owner && card.owner !== zone.owner ? `of ${card.owner}` : '', card.on === undefined ? '' : 'attached', card.sideways ? 'sideways' : '', ...counters].filter(Boolean);
    const face = card.down ? null : t.known.get(card.name);
    return h('button', {
      class: `card${card.down ? ' down' : ''}${card.sideways ? ' sideways' : ''}${card.owner ? ` of-${card.owner}` : ''}`,
      type: 'button', draggable: plays ? 'true' : undefined, 'aria-pressed': String(Boolean(picked)),
      'data-key': `${zone.zone}/${card.slot}`, 'data-zone': zone.zone, 'data-slot': card.slot, 'data-look': card.name,
      onclick: () => click(zone, card),
      ondblclick: () => card.name && t.text(card.name),
      ondragstart: (event) => event.dataTransfer.setData('text/plain', JSON.stringify([zone.zone, card.slot])),
    }, face ? faceOf(face, true) : h('bdi', {}, card.down ? 'face down' : card.name), about.length ? h('small', {}, about.join(', ')) : null);
  };

  /** A card with what is attached to it. */
  const stackOf = (zone, card) => {
    const on = zone.cards.filter((one) => one.on === card.slot);
    return on.length ? h('div', { class: 'stack' }, cardOf(zone, card), on.map((one) => stackOf(zone, one))) : cardOf(zone, card);
  };
  const hosts = (zone) => zone.cards.filter((card) => card.on === undefined);
  /** Whether a zone has more cards than stand in sight: what one alone sees, and long piles. */
  const folds = (zone) => (aside(zone) ? zone.count > 0 : !isHand(zone) && !zone.grid && zone.cards !== null && hosts(zone).length > FOLD);
  const inSight = (zone) => (!folds(zone) || t.open.has(zone.zone) ? hosts(zone) : aside(zone) ? [] : hosts(zone).slice(0, TOP));
  const strip = (zone, cards) => (cards.length ? h('div', { class: 'cards', 'data-strip': zone.zone }, cards.map((card) => stackOf(zone, card))) : null);

  /** A grid, one's own home nearest. */
  const gridOf = (zone) => {
    const { rows, columns, home } = zone.grid;
    const flipped = seat === 'B' && rows > 1;
    const order = (count, back) => Array.from({ length: count }, (_, at) => (back ? count - 1 - at : at));
    const homeOf = (row) => (home && row === 0 ? `${home} of A` : home && row === rows - 1 ? `${home} of B` : '');
    const table = h('div', { class: 'grid', role: 'group', 'aria-label': zone.label, 'data-columns': columns },
      order(rows, !flipped).map((row) => h('div', { class: `squares n${columns}` },
        order(columns, flipped).map((column) => {
          const cell = cellOf(column, row);
          const square = h('div', { class: `square${homeOf(row) ? ' home' : ''}`, 'data-cell': cell },
            h('button', {
              class: 'cell', type: 'button', 'data-key': `${zone.zone}@${cell}`, disabled: !held,
              'aria-label': `${held ? 'Lay on' : 'Square'} ${cell}${homeOf(row) ? `, ${homeOf(row)}` : ''}`,
              onclick: () => lay(zone.zone, cell),
            }, cell),
            hosts(zone).filter((card) => card.at === cell).map((card) => stackOf(zone, card)));
          return target(square, zone.zone, cell);
        }))));
    return [table, strip(zone, hosts(zone).filter((card) => !card.at))];
  };

  const head = (zone) => {
    const over = zone.most !== null && zone.count > zone.most;
    const pile = zone.cards === null;
    return h('div', { class: 'row head' },
      h('button', {
        type: 'button', class: 'name', 'data-key': `zone ${zone.zone}`, disabled: !held || view.phase !== 'game',
        title: zone.told ?? undefined, onclick: () => lay(zone.zone, pile ? 'top' : ''),
        'aria-label': held ? `Lay into ${zone.label}` : zone.label,
      }, zone.label),
      h('span', { class: over ? 'message' : 'quiet' }, `${zone.count}${zone.most === null ? '' : ` of ${zone.most}`}`),
      playing && pile && zone.count && (own(zone) || !zone.owner)
        ? h('button', { type: 'button', 'data-key': `draw ${zone.zone}`, onclick: () => t.move(`draw 1 ${quoted(zone.zone)}`) }, 'Draw') : null,
      folds(zone) ? h('button', {
        type: 'button', 'data-key': `open ${zone.zone}`, 'aria-expanded': String(t.open.has(zone.zone)), 'aria-label': `${t.open.has(zone.zone) ? 'Fold' : 'See'} ${zone.label}`,
        onclick: () => { t.open.has(zone.zone) ? t.open.delete(zone.zone) : t.open.add(zone.zone); t.draw(); },
      }, t.open.has(zone.zone) ? 'Fold' : 'See') : null,
      playing ? h('button', { type: 'button', class: 'more', 'data-key': `menu ${zone.zone}`, 'aria-haspopup': 'dialog', 'aria-label': `What can be done with ${zone.label}${zone.owner ? ` of ${zone.owner}` : ''}`, onclick: () => menu(zone) }, '⋯') : null);
  };

  const zoneBox = (zone) => {
    const cards = zone.cards ?? [];
    const shown = cards.length ? inSight(zone) : [];
    const seen = shown.length > 0;
    const inside = zone.grid && zone.cards ? gridOf(zone) : [strip(zone, shown), seen && shown.length < hosts(zone).length && h('span', { class: 'quiet' }, `the ${TOP} on top of ${hosts(zone).length}`)];
    const box = h('section', { class: `zone${seen || zone.grid ? '' : ' closed'}${isHand(zone) ? ' own-hand' : ''}`, 'data-zone': zone.zone }, head(zone), inside);
    return target(box, zone.zone, zone.cards === null ? 'top' : '');
  };

  /** Does something and closes what it was chosen in. */
  const choice = (box, name, line, key = line) => h('button', { type: 'button', 'data-key': key, onclick: () => { box().close(); t.move(line); } }, name);

  /** What can be done with a zone. */
  const menu = (zone) => {
    let box;
    const name = quoted(zone.zone);
    const close = () => box;
    const pile = zone.cards === null;
    const mine = own(zone) || !zone.owner;
    const number = h('input', { type: 'number', min: 1, max: zone.count, value: Math.min(3, zone.count), 'aria-label': 'How many cards' });
    const many = (word, line) => h('button', { type: 'button', onclick: () => { box.close(); t.move(line(number.value)); } }, word);
    const token = h('input', { maxlength: 80, 'aria-label': 'Name of the token', placeholder: 'Name of a token' });
    const acts = [
      pile && zone.count && [h('p', { class: 'row' }, number, mine ? many('Draw so many', (count) => `draw ${count} ${name}`) : null, many('Look at so many', (count) => `look ${name} 0 ${count}`)),
        choice(close, 'Show the top card to all', `reveal ${name} 0`)],
      !mine && pile && zone.count && choice(close, 'Take one by chance', `random ${name} hand`),
      mine && !pile && zone.count && letters.length > 1 && isHand(zone) && letters.filter((other) => other !== seat).map((other) => h('p', { class: 'row' }, `Lose one by chance to a zone of ${other}:`, view.zones.filter((to) => to.owner === other && !to.grid).map((to) => choice(close, to.label, `random ${name} ${quoted(to.zone)}`)))),
      isHand(zone) && zone.count && h('p', { class: 'row' }, 'One by chance to', view.zones.filter((to) => own(to) && to !== zone && !to.grid).map((to) => choice(close, to.label, `random ${name} ${quoted(to.zone)}`))),
      mine && zone.count > 1 && choice(close, 'Shuffle', `shuffle ${name}`),
      zone.count > 0 && pile && choice(close, mine ? 'Look at all of it' : 'Ask to look at all of it', `look ${name}`),
      !pile && !zone.private && h('form', { class: 'row', onsubmit: (event) => {
        event.preventDefault();
        box.close();
        if (token.value.trim()) t.move(`token "${token.value.trim().replaceAll('"', '')}" ${name}`);
      } }, token, h('button', {}, 'Lay it here')),
    ].filter(Boolean);
    box = dialog(`${zone.label}${zone.owner && !own(zone) ? ` of seat ${zone.owner}` : ''}`, zone.told ? h('p', {}, zone.told) : null,
      acts.length ? h('div', { class: 'acts' }, acts) : h('p', {}, 'Lay a card here: choose the card, then the name of the zone.'),
      h('p', { class: 'quiet' }, `Where a move names it: ${zone.zone}`));
  };

  /** Counts up or down by any number. @param {string} title @param {any[]} of pairs of a name and a value @param {(name: string, change: number, fresh: boolean) => string} line */
  const counting = (title, of, line) => {
    const name = h('input', { 'aria-label': 'Name of a new counter', placeholder: 'a new counter', maxlength: 40, value: of.length ? '' : 'mark' });
    const box = dialog(title, of.map(([counter, value]) => {
      const by = h('input', { type: 'number', min: 1, value: 1, 'aria-label': `By how much ${spoken(counter)} changes` });
      const go = (sign) => { box.close(); t.move(line(counter, sign * Number(by.value), false), true); };
      return h('p', { class: 'row' }, `${spoken(counter)} `, h('b', {}, value),
        h('button', { type: 'button', 'aria-label': `${spoken(counter)} down`, onclick: () => go(-1) }, '−'), by,
        h('button', { type: 'button', 'aria-label': `${spoken(counter)} up`, onclick: () => go(1) }, '+'));
    }), h('form', { class: 'row', onsubmit: (event) => {
      event.preventDefault();
      box.close();
      if (name.value.trim()) t.move(line(name.value.trim(), 1, true), true);
    } }, name, h('button', {}, 'Count it from 1')));
  };

  const seatBox = (letter) => {
    const about = view.seats[letter];
    const all = Object.entries(about.counters);
    const change = (counter, by, fresh) => `count ${letter} ${quoted(counter)} ${by > 0 ? '+' : ''}${by}${fresh ? ' new' : ''}`;
    const counters = all.map(([name, value]) => h('span', { class: 'counter' }, `${spoken(name)} `, h('b', {}, value),
      playing ? ['-1', '+1'].map((by) => h('button', {
        type: 'button', class: 'step', 'data-key': `${letter} ${name} ${by}`, 'aria-label': `${spoken(name)} of ${letter} ${by}`,
        onclick: () => t.move(`count ${letter} ${quoted(name)} ${by}`, true),
      }, by === '-1' ? '−' : '+')) : null));
    const zones = view.zones.filter((zone) => zone.owner === letter && !(own(zone) && docked(zone)));
    return h('section', { class: `seat${letter === view.active ? ' active' : ''}`, 'data-seat': letter },
      h('div', { class: 'row' },
        h('h2', {}, `Seat ${letter}`, about.name === letter ? '' : h('bdi', {}, `: ${about.name}`), letter === seat ? ' (you)' : '',
          about.spec ? h('span', { class: 'quiet' }, ` ${about.spec}`) : null),
        counters,
        playing ? h('button', { type: 'button', 'data-key': `counters ${letter}`, 'aria-haspopup': 'dialog', 'aria-label': `Count… of seat ${letter}`, onclick: () => counting(`Counters of seat ${letter}`, all, change) }, 'Count…') : null),
      h('div', { class: 'zones' }, zones.map(zoneBox)));
  };

  /** Whether it lies with one's hand: what one alone sees, and what one draws from. */
  const docked = (zone) => isHand(zone) || zone.cards === null || aside(zone);

  /** What can be done with the card that is held. */
  const tools = () => {
    if (!playing || !held) return null;
    const zone = zoneOf(held.zone);
    const card = zone?.cards?.find((one) => one.slot === held.slot);
    const at = `${quoted(held.zone)} ${held.slot}`;
    const others = letters.filter((letter) => letter !== seat);
    const lies = zone && zone.cards !== null && !zone.private;
    const tool = (word, what, on = false) => h('button', { type: 'button', 'data-key': `tool ${word}`, 'aria-pressed': on ? 'true' : undefined, onclick: what }, word);
    const mark = (counter, by, fresh) => `mark ${at} ${quoted(counter)} ${by > 0 ? '+' : ''}${by}${fresh ? ' new' : ''}`;
    return h('div', { class: 'row tools', role: 'toolbar', 'aria-label': 'With the card' },
      h('b', {}, card?.name ?? 'A card'), h('span', { class: 'quiet' }, held.attaching ? 'choose the card it goes on' : 'choose where it goes, or'),
      card?.name ? tool('Text', () => t.text(card.name)) : null,
      tool('Flip', () => t.move(`flip ${at}`)), tool('Turn', () => t.move(`turn ${at}`)),
      tool('Attach…', () => { t.held = { ...held, attaching: !held.attaching }; t.draw(); }, held.attaching),
      lies ? tool('Count…', () => counting(`Counters of ${card?.name ?? 'this card'}`, Object.entries(card?.counters ?? {}), mark)) : null,
      tool('Show', () => t.move(`reveal ${at}`)), tool('Look', () => t.move(`look ${at}`)),
      tool('Top', () => lay(held.zone, 'top')), tool('Bottom', () => lay(held.zone, 'bottom')),
      others.map((other) => tool(`Give ${other}`, () => t.move(`give ${at} ${other}.hand`))),
      lies && letters.length > 1 ? letters.filter((letter) => letter !== (card?.owner ?? zone.owner)).map((letter) => tool(`To ${letter}’s control`, () => t.move(`own ${at} ${letter}`))) : null,
      lies ? tool('Remove', () => t.move(`remove ${at}`)) : null);
  };

  const middle = view.zones.filter((zone) => !zone.owner);
  const mine = view.zones.filter((zone) => own(zone) && docked(zone));
  return {
    table: [
      letters.filter((letter) => letter !== seat).map(seatBox),
      middle.length ? h('section', { class: 'middle' }, h('h2', {}, 'In the middle'), h('div', { class: 'zones' }, middle.map(zoneBox))) : null,
      plays ? seatBox(seat) : null],
    /** What lies before this seat alone. */
    dock: (ends) => (plays ? [tools(), h('div', { class: 'zones' }, mine.filter((zone) => !isHand(zone)).map(zoneBox), ends, playing ? h('label', { class: 'chip' }, h('input', {
      type: 'checkbox', checked: t.down, 'data-key': 'down', onchange: (event) => { t.down = event.target.checked; },
    }), 'face down') : null), mine.filter(isHand).map(zoneBox)] : []),
  };
}
