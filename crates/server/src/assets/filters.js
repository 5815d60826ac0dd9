// What the pool shows: values that are wanted and values that are excluded. Chips, range bars and the bars of the
// strip show and change this one state.
import { bucketsOf, quoted } from './words.js';

/** @param {any} game */
export function filters(game) {
  const want = new Map(), not = new Map(), watchers = new Set();
  const of = (map, field) => map.get(field) ?? map.set(field, new Set()).get(field);
  const notify = () => { for (const watch of watchers) watch(); };
  const flip = (map, other, field, key) => { of(other, field).delete(key); if (!of(map, field).delete(key)) of(map, field).add(key); notify(); };
  const any = (field, keys) => {
    const own = bucketsOf(game, field);
    return own.length ? `(${own.filter((one) => keys.has(one.key)).map((one) => one.query).join(' or ')})` : `${field}:(${[...keys].map(quoted).join(' ')})`;
  };
  const all = (map) => [...map].filter(([, keys]) => keys.size);
  const has = (card, field, keys) => bucketsOf(game, field).some((one) => keys.has(one.key) && one.has(card[field]));
  return {
    /** Whether cards are hidden that cannot go into the deck, and those that the player lacks. */
    fits: false, owned: false,
    watch: (watch) => watchers.add(watch),
    state: (field, key) => (want.get(field)?.has(key) ? 'want' : not.get(field)?.has(key) ? 'not' : null),
    toggle: (field, key) => flip(want, not, field, key),
    exclude: (field, key) => flip(not, want, field, key),
    /** Some values of a field, or none. */
    set(field, keys) { want.set(field, new Set(keys)); notify(); },
    only(wants) { want.clear(); not.clear(); for (const [field, keys] of Object.entries(wants)) want.set(field, new Set(keys)); notify(); },
    turn(what) { this[what] = !this[what]; notify(); },
    clear() { this.owned = false; this.only({}); },
    get isOn() { return all(want).length + all(not).length > 0; },
    count: (fields) => fields.reduce((sum, field) => sum + (want.get(field)?.size ?? 0) + (not.get(field)?.size ?? 0), 0),
    queries: () => [...all(want).map(([field, keys]) => ({ field, query: any(field, keys) })), ...all(not).map(([field, keys]) => ({ field, query: `-${any(field, keys)}` }))],
    /** Whether a card passes. */
    passes: (card) => all(want).every(([field, keys]) => has(card, field, keys)) && !all(not).some(([field, keys]) => has(card, field, keys)),
  };
}
