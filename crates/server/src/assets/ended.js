// The end of a game, and what comes between two games of a match: who won, the score, the next game,
// and what is swapped with the side deck.
import { ask, dialog, fill, h, say } from './api.js';

/** What a seat is called. @param {any} view @param {string} letter */
const called = (view, letter) => {
  const { name } = view.seats[letter];
  return name === letter ? `Seat ${letter}` : [`Seat ${letter}: `, h('bdi', {}, name)];
};

/** Asks how the game ended. @param {any} view @param {(what: any) => unknown} act */
export function over(view, act) {
  const words = h('input', { maxlength: '80', 'aria-label': 'In words', placeholder: 'in words, if there is more to say' });
  const tell = (won) => {
    box.close();
    act({ end: { won, words: words.value } });
  };
  const box = dialog('Is the game over?', h('p', {}, 'When all agree, the secret of the deal is shown to everybody at the table.'), words,
    h('p', { class: 'row' }, Object.keys(view.seats).map((letter) => h('button', { type: 'button', id: `won-${letter}`, onclick: () => tell(letter) }, called(view, letter), ' won')),
      h('button', { type: 'button', id: 'won-draw', onclick: () => tell('draw') }, 'A draw')));
}

/** What follows a game that is over. @param {any} view @param {string} base @param {string} seat */
export function after(view, base, seat) {
  const plays = seat !== 'onlooker';
  const next = async () => {
    try {
      location.assign((await ask('POST', `${base}/next`)).to);
    } catch (error) { say(error.message); }
  };
  return [
    view.score ? h('p', { id: 'score' }, view.score) : null,
    view.over ? h('p', { class: 'quiet' }, `${view.over}. `, h('a', { href: '/play' }, 'Open another table')) : null,
    view.next ? h('p', { class: 'note', role: 'status' }, 'The next game is laid. ', h('a', { class: 'button primary', id: 'next', href: `/t/${view.next}/${seat}` }, 'To the next game')) : null,
    plays && !view.next && !view.over ? h('p', { class: 'row' }, h('button', { type: 'button', class: 'primary', id: 'next', 'data-key': 'next', onclick: next }, 'Next game'),
      h('span', { class: 'quiet' }, 'The same players and decks; this table stays as it is.')) : null,
  ];
}

/** What was chosen so far, while the same is asked: by the question, changes of numbers by section and
 * name. @type {Map<string, Record<string, Record<string, number>>>} */
const chosen = new Map();

const count = (list, name) => list.of.filter((one) => one === name).length;
/** The first so many places of a name in a list. */
const places = (list, name, most) => list.of.flatMap((one, at) => (one === name ? [at] : [])).slice(0, most);

/** An answer that swaps cards, by lines with − n +; null: this answer swaps none.
 * @param {any} answer @param {number} number which answer it is @param {(what: any) => unknown} act */
export function exchange(answer, number, act) {
  const lists = answer.cards.map((list, at) => ({ ...list, number: at }));
  const way = (section, word) => lists.find((list) => list.at[0] === section && list.at[1] === word);
  const sections = [...new Set(lists.filter((list) => list.at[1] === 'out').map((list) => list.at[0]))];
  if (!sections.length) return null;
  const key = JSON.stringify(lists);
  if (!chosen.has(key)) chosen.set(key, Object.fromEntries(sections.map((section) => [section, {}])));
  const moved = chosen.get(key);
  const box = h('div', { class: 'exchange' });
  const line = (section, name) => {
    const [out, back] = [way(section, 'out'), way(section, 'in')];
    const by = moved[section][name] ?? 0;
    const [here, side] = [count(out, name) + by, count(back, name) - by];
    const step = (change, word, off) => h('button', {
      type: 'button', class: 'step', 'data-key': `${section} ${name} ${word}`, disabled: off, 'aria-label': `${name} ${word}`,
      onclick: () => { moved[section][name] = by + change; draw(); },
    }, change < 0 ? '−' : '+');
    return h('li', { class: 'line' }, h('span', { class: 'name', 'data-look': name }, h('bdi', {}, name)),
      step(-1, 'out', here === 0), h('span', { class: 'count' }, here), step(1, 'in', side === 0),
      h('span', { class: 'room' }, by ? h('b', {}, `${by > 0 ? '+' : '−'}${Math.abs(by)} `) : null, `${side} aside`));
  };
  const draw = () => {
    const sums = (sign) => sections.flatMap((section) => Object.values(moved[section])).reduce((sum, by) => sum + Math.max(0, sign * by), 0);
    fill(box, h('p', { class: 'row' }, h('button', {
      type: 'button', class: 'primary', 'data-key': `answer ${number}`, disabled: !sums(1) && !sums(-1), onclick: send,
    }, answer.told), h('span', { class: 'quiet', role: 'status' }, `${sums(-1)} out, ${sums(1)} in`)),
    sections.map((section) => {
      // What can come in stands first.
      const [aside, here] = [way(section, 'in').of, way(section, 'out').of];
      const names = [...new Set(aside), ...new Set(here.filter((name) => !aside.includes(name)))];
      return [h('h3', {}, section), h('ul', { class: 'list' }, names.map((name) => line(section, name)))];
    }));
  };
  const send = () => act({
    answer: number,
    cards: lists.map((list) => {
      const sign = list.at[1] === 'out' ? -1 : 1;
      return Object.entries(moved[list.at[0]] ?? {}).flatMap(([name, by]) => (sign * by > 0 ? places(list, name, sign * by) : [])).sort((a, b) => a - b);
    }),
  });
  draw();
  return box;
}
