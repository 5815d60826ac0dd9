// A match dealt again in the visitor's own browser, from its inputs and SHA-256 alone. What is
// followed here is src/matches/README.md; nothing of it asks the server.

import { commitmentOf, fromHex, hexOf, sha256 } from './sha256.js';

const SEATS = ['A', 'B', 'C', 'D'];
const bytesOf = (text) => new TextEncoder().encode(text);

/** Canonical JSON: RFC 8785, for what match files hold. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value && typeof value === 'object') {
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** The words of a label. @param {Uint8Array} seed @param {string} label */
async function stream(seed, label) {
  const name = bytesOf(label);
  const key = await sha256('decklaw/stream/1\0', seed, new Uint8Array([name.length >> 8, name.length & 255]), name);
  let block = new DataView(new ArrayBuffer(0));
  let number = 0;
  let at = 0;
  const word = async () => {
    if (at >= block.byteLength) {
      const count = new DataView(new ArrayBuffer(8));
      count.setUint32(4, number);
      number += 1;
      block = new DataView((await sha256(key, new Uint8Array(count.buffer))).buffer);
      at = 0;
    }
    at += 4;
    return block.getUint32(at - 4);
  };
  return {
    /** A whole number below n, each as likely as any other. @param {number} n */
    below: async (n) => {
      const limit = 2 ** 32 - (2 ** 32 % n);
      for (;;) {
        const drawn = await word();
        if (drawn < limit) return drawn % n;
      }
    },
  };
}

/** Swaps each place, from the last on, with one that is drawn. @param {any[]} pile @param {{below: (n: number) => Promise<number>}} words */
async function shuffled(pile, words) {
  for (let at = pile.length - 1; at > 0; at -= 1) {
    const other = await words.below(at + 1);
    [pile[at], pile[other]] = [pile[other], pile[at]];
  }
}

const SCHEME = 'decklaw-sha256ctr-2';

/** The numbers in the ids of an owner's cards, in the order of the deck. @param {Uint8Array} seed @param {string} owner @param {any} deck */
async function numbers(seed, owner, deck) {
  const cards = Object.values(deck.sections).flat().reduce((sum, line) => sum + line.count, 0);
  const all = Array.from({ length: cards }, (_, at) => at + 1);
  await shuffled(all, await stream(seed, `ids/${owner}`));
  return all;
}

const letter = (at) => SEATS[at];
const holds = (when, options) => Object.entries(when ?? {}).every(([name, values]) => values.some((value) => value === options[name]));

/** The table before the first step, and what steps do to it. */
class Table {
  constructor(setup, inputs, seed) {
    this.inputs = inputs;
    this.seed = seed;
    this.first = null;
    this.rolls = null;
    this.order = new Map();
    this.names = {};
    this.votes = [];
    this.sealed = {};
    this.specs = null;
    const { options } = inputs;
    const zonesOf = (terms) => Object.fromEntries(Object.entries(terms ?? {})
      .filter(([, zone]) => holds(zone.when, options))
      .map(([name, zone]) => [name, { name, terms: zone, pile: zone.holds ?? name, shuffles: 0, slots: [] }]));
    this.shared = zonesOf(setup.zones.shared);
    this.seats = inputs.seats.map(() => zonesOf(setup.zones.seat));
  }

  /** Gives every card its id and lays it in its first zone. */
  async layOut(setup) {
    const { inputs, seed } = this;
    const { scheme } = inputs.randomness;
    if (scheme !== SCHEME) throw new Error(`the scheme ${scheme} is not known here`);
    const decks = inputs.seats.map((seat, at) => [setup.zones.seat, this.seats[at], letter(at), seat.deck]);
    decks.push([setup.zones.shared, this.shared, 'S', inputs.shared?.deck]);
    for (const [terms, zones, owner, deck] of decks) {
      if (deck) this.unpack(setup, terms, zones, owner, deck, await numbers(seed, owner, deck));
    }
  }

  unpack(setup, terms, zones, owner, deck, given) {
    const role = (section) => {
      if (deck.dealt === undefined || deck.dealt === null) return section;
      return section === deck.dealt ? setup.sections[0] : section;
    };
    const held = Object.keys(deck.sections);
    const inOrder = setup.sections.map((id) => held.find((section) => role(section) === id)).filter(Boolean);
    // Further sections by their names, by code point.
    const points = (text) => [...text].map((one) => one.codePointAt(0));
    const byPoint = (a, b) => {
      const [one, other] = [points(a), points(b)];
      for (let at = 0; at < Math.min(one.length, other.length); at += 1) if (one[at] !== other[at]) return one[at] - other[at];
      return one.length - other.length;
    };
    const rest = held.filter((section) => !inOrder.includes(section)).sort(byPoint);
    let number = 0;
    for (const section of [...inOrder, ...rest]) {
      const id = role(section);
      for (const line of deck.sections[section]) {
        const takes = ([, zone]) => zone.holds === id && holds(zone.when, this.inputs.options)
          && Object.entries(zone.only ?? {}).every(([field, value]) => line[field] === value);
        const found = Object.entries(terms ?? {}).find(takes)?.[0] ?? id;
        zones[found] ??= { name: found, terms: { seen: 'by-owner' }, pile: found, shuffles: 0, slots: [] };
        for (let copy = 0; copy < line.count; copy += 1) {
          const card = `${owner}${String(given[number]).padStart(3, '0')}`;
          number += 1;
          this.names[card] = line.name;
          this.order.set(card, this.order.size);
          zones[found].slots.push({ card, up: false });
        }
      }
    }
  }

  /** A seat's own zone, or the one in the middle. */
  zone(seat, name) {
    return this.seats[seat]?.[name] ?? this.shared[name];
  }

  owns(seat, name) {
    return name in (this.seats[seat] ?? {});
  }

  turns() {
    const all = this.seats.map((_, at) => at);
    return this.first === null ? all : [...all.slice(this.first), ...all.slice(0, this.first)];
  }

  take(zone, count) {
    if (zone.slots.length < count) throw new Error(`${zone.name} holds too few cards`);
    return zone.slots.splice(0, count);
  }

  async shuffle(seat, name) {
    const zone = this.zone(seat, name);
    const whose = this.owns(seat, name) ? `${letter(seat)}.` : '';
    const words = await stream(this.seed, `${whose}${zone.pile}/${zone.shuffles}`);
    zone.shuffles += 1;
    zone.slots.sort((a, b) => this.order.get(a.card) - this.order.get(b.card));
    await shuffled(zone.slots, words);
  }

  /** Each seat's zone of a name, the one in the middle once. */
  async each(name, what) {
    const seats = this.seats.map((_, at) => at);
    for (const seat of this.owns(0, name) ? seats : [0]) await what(seat);
  }
}

/** Decisions in their order; a step without one is where the setup stands. */
class Pending extends Error {}

function decisions(list) {
  let at = 0;
  return {
    next: (step) => {
      if (at >= list.length) throw new Pending();
      const decision = list[at];
      if (decision.step !== step) throw new Error(`a decision of ${decision.step} stands where ${step} is awaited`);
      at += 1;
      return decision;
    },
    left: () => list.length - at,
  };
}

const STEPS = {
  async shuffle(table, terms) {
    await table.each(terms.pile, (seat) => table.shuffle(seat, terms.pile));
  },
  async deal(table, terms) {
    table.turns().forEach((seat, turn) => {
      const { cards } = terms;
      const inTurn = cards['in-turn'];
      const count = cards.each ?? (inTurn ? inTurn[Math.min(turn, inTurn.length - 1)] : table.inputs.settings[cards.setting]);
      table.zone(seat, terms.to).slots.push(...table.take(table.zone(seat, terms.from), count));
    });
  },
  async place(table, terms) {
    const done = new Set();
    for (const seat of table.turns()) {
      const to = table.zone(seat, terms.to);
      if (done.has(to)) continue;
      done.add(to);
      const from = table.zone(seat, terms.from);
      for (const row of terms.rows) {
        const wanted = row.up ?? row.down;
        const count = terms['as-far-as-it-goes'] ? Math.min(wanted, from.slots.length) : wanted;
        to.slots.push(...table.take(from, count).map(({ card }) => ({ card, up: row.up !== undefined && row.up !== null })));
      }
    }
  },
  async 'first-player'(table, terms, given) {
    const last = table.inputs.results?.at(-1);
    let seats = table.seats.map((_, at) => at);
    if (terms['losing-team'] && SEATS.includes(last)) seats = seats.filter((seat) => seat % 2 !== SEATS.indexOf(last) % 2);
    const decision = given.next('first-player');
    table.first = decision.by === 'random'
      ? seats[await (await stream(table.seed, 'first-player/0')).below(seats.length)]
      : SEATS.indexOf(decision.seat);
  },
  async roll(table, terms, given) {
    let rolling = table.seats.map((_, at) => at);
    for (let round = 0; rolling.length > 1; round += 1) {
      const decision = given.next('roll');
      const values = {};
      for (const seat of rolling) {
        values[letter(seat)] = decision.by === 'random'
          ? 1 + await (await stream(table.seed, `roll/${round}/${letter(seat)}`)).below(terms.sides)
          : decision.values[letter(seat)];
      }
      table.rolls.push(values);
      const highest = Math.max(...Object.values(values));
      rolling = rolling.filter((seat) => values[letter(seat)] === highest);
    }
    [table.first] = rolling;
  },
  async mulligan(table, terms, given) {
    const deciding = new Set(table.seats.keys());
    while (deciding.size) {
      const decision = given.next('mulligan');
      const seat = SEATS.indexOf(decision.seat);
      const deck = table.zone(seat, terms.from);
      const hand = table.zone(seat, terms.hand);
      if (decision.choice === 'mulligan') {
        const aside = hand.slots;
        hand.slots = table.take(deck, terms.cards);
        deck.slots.push(...aside);
        await table.shuffle(seat, terms.from);
        continue;
      }
      for (const id of decision.bottom) {
        const at = hand.slots.findIndex((slot) => slot.card === id);
        if (at < 0) throw new Error(`${id} is not in hand`);
        deck.slots.push(...hand.slots.splice(at, 1));
      }
      deciding.delete(seat);
    }
  },
  async swap(table, terms, given) {
    const swapping = new Set([...table.seats.keys()].filter((seat) => table.zone(seat, terms.side).slots.length));
    while (swapping.size) {
      const decision = given.next('swap');
      const seat = SEATS.indexOf(decision.seat);
      swapping.delete(seat);
      const side = table.zone(seat, terms.side);
      const without = (zone, id) => {
        const at = zone.slots.findIndex((slot) => slot.card === id);
        return at < 0 ? [] : zone.slots.splice(at, 1);
      };
      for (const [section, group] of Object.entries(terms.groups)) {
        const moves = decision[section];
        if (!moves) continue;
        const zones = group.zones.map((name) => table.zone(seat, name));
        const homes = moves.out.map((id) => zones.find((zone) => zone.slots.some((slot) => slot.card === id)));
        moves.in.forEach((id, at) => {
          const home = (group.alike ? homes[at] : undefined) ?? zones[0];
          home.slots.push(...without(side, id));
        });
        moves.out.forEach((id, at) => side.slots.push(...without(homes[at], id)));
      }
      const all = Object.values(terms.groups).flatMap((group) => group.zones);
      for (const name of [...all, terms.side]) {
        table.zone(seat, name).slots.sort((a, b) => table.order.get(a.card) - table.order.get(b.card));
      }
    }
  },
  async spec(table, terms, given) {
    while (Object.keys(table.sealed).length < table.seats.length) {
      const decision = given.next('spec');
      table.sealed[decision.seat] = decision.commit;
    }
  },
  async reveal(table, terms, given) {
    const open = {};
    while (Object.keys(open).length < table.seats.length) {
      const { seat, spec, nonce } = given.next('reveal');
      const commit = hexOf(await sha256('decklaw/spec/1\0', seat, fromHex(nonce), spec));
      if (commit !== table.sealed[seat]) throw new Error(`seat ${seat} opens another choice than it sealed`);
      open[seat] = spec;
    }
    table.specs = open;
  },
  async vote(table, terms, given) {
    const voting = new Set(SEATS.slice(0, table.seats.length));
    while (voting.size) {
      const decision = given.next('vote');
      voting.delete(decision.seat);
      table.votes.push(decision.choice);
    }
  },
  async pick(table, terms, given) {
    const on = (option) => option !== undefined && option !== null && table.inputs.options[option] === true;
    const order = table.turns();
    const limits = terms['face-down'] ?? {};
    const turns = terms.rounds.flatMap((rounds) => Array.from({ length: rounds.times }, () => order.map((seat, at) => {
      const other = order[(at + 1) % order.length];
      return {
        picker: rounds['chosen-by-the-other'] ? other : seat,
        receiver: on(terms['for-the-other']) ? other : seat,
        from: rounds.from,
      };
    })).flat());
    for (const seat of order) {
      const own = turns.filter((turn) => turn.picker === seat);
      if (own.length) own.at(-1).last = true;
    }
    const picked = table.seats.map(() => ({ up: 0, down: 0 }));
    for (const [number, turn] of turns.entries()) {
      const other = (seat) => [...table.seats.keys()].find((one) => one !== seat);
      const seats = { middle: [turn.picker], own: [turn.picker], other: [other(turn.picker)], either: [turn.receiver, other(turn.receiver)] }[turn.from];
      const pools = seats.map((seat) => table.zone(seat, terms.pool));
      const upLeft = pools.flatMap((pool) => pool.slots).filter((slot) => slot.up).length;
      const so = picked[turn.picker];
      const refused = (limits['not-first'] && number === 0) || (limits.most !== undefined && limits.most !== null && so.down >= limits.most)
        || (limits['one-face-up'] && so.up === 0 && upLeft > 0 && (turn.last || upLeft === 1));
      const legal = pools.flatMap((pool) => pool.slots.map((slot, at) => [pool, at, slot.up]).filter(([, , up]) => up || !refused));
      const decision = given.next('pick');
      let [pool, slot] = [pools[0], decision.slot];
      if (decision.by === 'random') [pool, slot] = legal[await (await stream(table.seed, `pick/${number}`)).below(legal.length)];
      else if (decision.pool) pool = table.zone(SEATS.indexOf(decision.pool), terms.pool);
      const [{ card, up }] = pool.slots.splice(slot, 1);
      table.zone(turn.receiver, terms.hand).slots.push({ card, up: false });
      if (up) so.up += 1;
      else {
        so.down += 1;
        if (terms.mirror && on(terms.mirror.with)) await mirror(table, terms.mirror, pool, card);
      }
    }
  },
  async settle(table, terms) {
    const unanimous = table.votes.length > 0 && table.votes.every((vote) => vote === terms.unanimous);
    const target = unanimous ? terms.to : terms.otherwise;
    let pile = null;
    for (const seat of table.turns()) {
      const left = table.zone(seat, terms.from).slots.splice(0);
      if (!left.length) continue;
      table.zone(seat, target).slots.push(...left);
      pile = seat;
    }
    if (pile !== null && !unanimous) await table.shuffle(pile, target);
  },
};

async function mirror(table, terms, pool, card) {
  const rank = (id) => {
    const name = table.names[id];
    if (terms.alike.includes(name)) return terms.alike[0];
    const suit = terms.suits.find((ending) => name.endsWith(ending));
    return suit ? name.slice(0, -suit.length) : name;
  };
  const pile = table.zone(0, terms.from);
  const at = pile.slots.findIndex((slot) => rank(slot.card) === rank(card));
  if (at < 0) return;
  const [found] = pile.slots.splice(at, 1);
  pool.slots.push({ card: found.card, up: true });
  await table.shuffle(0, terms.from);
}

/** The state as a match file writes its zones. */
function state(table) {
  const listed = (zones) => Object.fromEntries(Object.values(zones).map((zone) => [zone.name, zone.slots.map(({ card, up }) => (
    zone.terms.seen === 'card-by-card' ? { card, face: up ? 'up' : 'down' } : card))]));
  return { shared: listed(table.shared), seats: table.seats.map(listed) };
}

/** The steps of a setup, played. @param {any} setup @param {any} inputs */
async function dealt(setup, inputs) {
  const table = new Table(setup, inputs, fromHex(inputs.randomness.seed));
  await table.layOut(setup);
  const given = decisions(inputs.decisions);
  const held = setup.steps.filter((step) => holds(step.when, inputs.options));
  if (held.some((step) => step.do.roll)) table.rolls = [];
  try {
    for (const step of held) {
      const [[kind, terms]] = Object.entries(step.do);
      if (!STEPS[kind]) throw new Error(`the step ${kind} is not known here`);
      await STEPS[kind](table, terms, given);
    }
    if (given.left()) throw new Error('a decision is left over');
  } catch (error) {
    if (!(error instanceof Pending)) throw error;
  }
  return table;
}

/** Compares a table that was dealt here with what a match file says. */
function differs(table, file) {
  const [own, said] = [state(table), file.state];
  const letters = Object.keys(said.seats);
  if (canonical(table.names) !== canonical(file.cards)) return 'the cards';
  if (canonical(own.shared) !== canonical(said.shared.zones)) return 'the middle of the table';
  for (const [at, seat] of letters.entries()) if (canonical(own.seats[at]) !== canonical(said.seats[seat].zones)) return `the zones of seat ${seat}`;
  if ((table.first === null ? null : letter(table.first)) !== said.first) return 'who begins';
  if (table.rolls && canonical(table.rolls) !== canonical(said.shared.rolls)) return 'the dice';
  return null;
}

/**
 * Deals a match again and compares its log. Answers `null` where all agrees, otherwise what does
 * not.
 * @param {any} match the match file @param {any} file the same before its first move
 * @param {any} setup how the format is set up
 * @param {{digest?: string, hash?: string, commitments?: string[]}} [seen] what this browser was told while it was played
 * @returns {Promise<string | null>}
 */
export async function redeal(match, file, setup, seen = {}) {
  const { inputs } = file;
  const digest = hexOf(await sha256(canonical(inputs)));
  if (digest !== match.digests.inputs) return 'the digest of the inputs';
  if (seen.digest && seen.digest !== digest) return 'the digest of the inputs that this browser was told before';
  const { randomness } = inputs;
  if (randomness.contributions) {
    const parts = [...randomness.contributions].sort().map(fromHex);
    if (hexOf(await sha256('decklaw/seed-combined/1\0', ...parts)) !== randomness.seed) return 'the seed and the shares that it was made of';
  }
  if (seen.commitments) {
    const opened = await Promise.all((randomness.contributions ?? []).map(commitmentOf));
    if (canonical(opened.sort()) !== canonical([...seen.commitments].sort())) return 'the shares and what was committed to before they were shown';
  }
  let why;
  try {
    why = differs(await dealt(setup, inputs), file);
  } catch (error) {
    why = error.message;
  }
  if (why !== null) return why;
  const moves = match.log ?? [];
  const digestOf = async (count) => hexOf(await sha256(canonical(moves.slice(0, count))));
  if (moves.length > 0 && await digestOf(moves.length) !== match.digests.log) return 'the digest of the log';
  if (!seen.hash) return null;
  for (let count = moves.length; count > 0; count -= 1) if (await digestOf(count) === seen.hash) return null;
  return 'the moves that this browser was told before';
}
