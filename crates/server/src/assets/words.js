// A game's fields and cards in words and colours.

/** An id as words: `energy-class` is Energy Class. */
export const titled = (id) => String(id).split(/[_\- ]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');

/** A value as the query language takes it. */
export const quoted = (value) => (/^[\p{L}\p{N}_]+$/u.test(value) && !/^(and|or|not)$/i.test(value) ? value : `"${value}"`);

/** A value of a field in the game's own words; of a field that is true or false, its name. */
export function words(game, field, value) {
  if (value == null || value === '') return '';
  const own = game.face?.words?.[field] ?? {};
  return [value].flat().map((one) => own[one] ?? (one === true || one === 'true' ? titled(field) : one === false || one === 'false' ? `Not ${field}` : typeof one === 'number' || /^\d/.test(one) ? String(one) : titled(one))).join(', ');
}

/** The first value of a card's field: a list's first word. */
export const first = (card, field) => [card?.[field]].flat()[0];

/** The colour of a value of the field that colours cards; of no such field, nothing. */
export const colourOfValue = (game, field, value) => (field && game.face?.colour?.by === field ? game.face.colour.of[value] ?? game.face.colour.otherwise : null);
/** The colour of a card. */
export const colourOf = (game, card) => { const colour = game.face?.colour; return (colour && (colour.of[first(card, colour.by)] ?? colour.otherwise)) || '#5b6472'; };

/** What a card is in a few words: `Green · 2 · Spell`. */
export const brief = (game, card) => game.builder.filters.map((field) => (card?.[field] == null ? '' : isNumber(game, field) ? `${titled(field)} ${card[field]}` : words(game, field, card[field]))).filter(Boolean).join(', ');

export const fieldOf = (game, name) => game.fields.find((field) => field.name === name);
export const isNumber = (game, field) => fieldOf(game, field)?.kind === 'number';

/** The values of a field in their order. */
export const values = (game, field) => (fieldOf(game, field)?.values ?? []).map(([value]) => value);
/** The place of a value in its field's order. */
export const place = (game, field, value) => { const at = values(game, field).indexOf(String(value)); return at < 0 ? 1e6 : at; };

/** The most columns of a curve or of a range bar. */
const COLUMNS = 9;
const kept = new WeakMap();
/**
 * The columns of a field: each of its values, and from nine columns on the rest as one.
 * @returns {{key: string, label: string, query: string, has: (value: any) => boolean}[]}
 */
export function bucketsOf(game, field) {
  if (!kept.has(game)) kept.set(game, {});
  return kept.get(game)[field] ??= buckets(game, field);
}
function buckets(game, field) {
  const own = fieldOf(game, field), all = values(game, field), is = (wanted) => (value) => [value].flat().some((one) => one != null && wanted(String(one)));
  const one = (value) => ({ key: value, label: words(game, field, value), query: `${field}:${quoted(value)}`, has: is((found) => found === value) });
  if (own?.kind !== 'number') return all.map(one);
  if (all.length && all.length <= COLUMNS) return all.map(one);
  const last = all[COLUMNS - 1];
  if (all.length) return [...all.slice(0, COLUMNS - 1).map(one), { key: `${last}+`, label: `${last}+`, query: `${field}>=${last}`, has: is((found) => Number(found) >= Number(last)) }];
  if (!own.range) return [];
  // Many numbers: ranges of a round width.
  const [low, high] = own.range, rough = Math.max(1, (high - low + 1) / (COLUMNS - 1)), unit = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((by) => by * unit).find((by) => by >= rough);
  const from = Math.floor(low / step) * step;
  return Array.from({ length: Math.ceil((high - from + 1) / step) }, (_, at) => from + at * step).map((start) => ({ key: String(start), label: step > 1 ? `${start}+` : String(start), query: `(${field}>=${start} ${field}<${start + step})`, has: is((found) => Number(found) >= start && Number(found) < start + step) }));
}

/** A sentence of the engine: names in backticks are bold. @param {string} end what ends a text that has no end, such as a full stop
 * @returns {(string | HTMLElement)[]} */
export const sentence = (text, end = '') => {
  const shown = text.slice(0, 1).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : end);
  return shown.split('`').map((part, at) => (at % 2 ? Object.assign(document.createElement('b'), { textContent: part }) : part));
};
export const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
