// What is asked before a game, how it ended, and what comes between two games of a match.
import { $, button, dialog, h, save, toast } from './dom.js';
import { request } from './http.js';
import { sentence, titled } from './words.js';

/** Asks how the game ended. @param {any} t */
export function over(t) {
  const words = h('input', { class: 'input', id: 'how', maxlength: '80', 'aria-label': 'How it ended', placeholder: 'How it ended, if there is more to say' });
  const won = (id, label) => button(label, () => { box.close(); t.act({ end: { won: id, words: words.value } }); }, '', { id: `won-${id}` });
  const box = dialog('Is the game over?', h('p', { class: 'quiet' }, 'Once every player has said the same, everybody sees all cards and the secret of the deal.'), words,
    h('p', { class: 'row' }, Object.keys(t.view.seats).map((letter) => won(letter, `${t.player(letter)} won`)), won('draw', 'A draw')));
}

/** The end of a game. @param {any} t @param {{secret: string, brought: string} | null} deal */
export function ended(t, deal) {
  const { view } = t;
  const to = `/t/${view.next}/${document.body.dataset.key}`;
  const failed = (error) => toast(error.message);
  const next = () => request(`${t.base}/next`, {}).then((made) => location.assign(made.to), failed);
  const file = () => request(`${t.base}/file`).then((match) => save('match.json', JSON.stringify(match, null, 2)), failed);
  const replay = () => request(`${t.base}/file`).then((match) => { sessionStorage.setItem('replay', JSON.stringify(match)); location.assign('/replay'); }, failed);
  return h('div', { class: 'ask panel', id: 'ended' }, h('h2', {}, 'The game is over'), h('p', {}, view.ended), view.score && h('p', { id: 'score' }, t.words(view.score)),
    h('p', { class: 'row' }, view.next ? h('a', { class: 'btn main', id: 'next', href: to }, 'To the next game')
      : t.plays && !view.over && button('Next game', next, 'main', { id: 'next', 'data-key': 'next game' }),
    button('Save the game as a file', file, '', { id: 'keep', 'data-key': 'keep' }), button('Replay it', replay, '', { 'data-key': 'replay' }), h('a', { class: 'btn', href: '/play' }, 'Another table')),
    view.over && h('p', { class: 'quiet' }, `${t.words(view.over)}.`),
    h('details', { id: 'before' }, h('summary', {}, 'Check the deal'), h('p', {}, h('code', {}, 'decklaw match verify match.json'), ' deals the game again from its file.'),
      deal && h('p', {}, 'Before the deal, this browser was shown the SHA-256 ', h('code', {}, deal.secret), ' of the server’s secret, and it brought ', h('code', {}, deal.brought), '. The file has both.')));
}

/** What is asked of this seat before the game. @param {any} t */
export function question(t) {
  const asked = t.view.question;
  if (!asked) {
    const whom = t.view.awaited ?? [];
    return h('div', { class: 'ask panel', role: 'status' }, h('p', {}, whom.length ? `Waiting for ${whom.map(t.player).join(' and ')}.` : 'Waiting for the table.'));
  }
  const answers = asked.answers.map((answer, at) => ({ ...answer, at }));
  const picks = answers.filter((answer) => answer.slot !== undefined);
  return h('form', { class: 'ask panel', 'data-scroll': 'ask', onsubmit: (event) => event.preventDefault() }, h('h2', {}, `${t.words(asked.text)}?`),
    picks.length ? h('div', { class: 'faces pool' }, picks.map((answer) => {
      const card = t.view.zones.find((zone) => zone.zone === answer.zone)?.cards?.find((one) => one.slot === answer.slot);
      return h('button', { type: 'button', class: 'card', 'data-key': `pick ${answer.zone}/${answer.slot}`, onpointerenter: () => t.look(card?.name), onclick: () => t.act({ answer: { option: answer.at } }) }, t.face(card?.name ?? ''), h('span', { class: 'away' }, t.words(answer.told)));
    })) : null,
    h('div', { class: 'answers' }, answers.filter((answer) => answer.slot === undefined).map((answer, number) => answerOf(t, answer, number === 0))));
}

function answerOf(t, answer, isFirst) {
  const swap = exchange(t, answer);
  if (swap) return swap;
  const lists = answer.cards.filter((list) => list.count !== 0 && list.of.length);
  const chosen = answer.cards.map(() => []);
  const boxes = lists.map((list) => {
    const own = chosen[answer.cards.indexOf(list)];
    return h('fieldset', {}, h('legend', {}, t.words(list.told), list.count === null ? '' : ` (${list.count})`), h('div', { class: 'faces' }, list.of.map((name, number) => h('button', {
      type: 'button', class: 'card', 'aria-pressed': 'false', 'data-key': `answer ${answer.at} ${number}`, onpointerenter: () => t.look(name),
      onclick: ({ currentTarget: button }) => {
        const is = own.includes(number);
        if (is) own.splice(own.indexOf(number), 1); else own.push(number);
        button.setAttribute('aria-pressed', String(!is));
      },
    }, t.face(name), h('span', { class: 'away' }, name)))));
  });
  return h('div', { class: 'answer' }, boxes, button(sentence(t.words(answer.told)), () => t.act({ answer: { option: answer.at, cards: chosen } }), isFirst ? 'main' : '', { 'data-key': `answer ${answer.at}` }));
}

/** What was chosen so far, while the same is asked. @type {Map<string, Record<string, Record<string, number>>>} */
const swaps = new Map();
const count = (list, name) => list.of.filter((one) => one === name).length;

/** An answer that swaps cards, by lines with − n +; null: this answer swaps none. */
function exchange(t, answer) {
  const way = (section, word) => answer.cards.find((list) => list.at[0] === section && list.at[1] === word);
  const sections = [...new Set(answer.cards.filter((list) => list.at[1] === 'out').map((list) => list.at[0]))];
  if (!sections.length) return null;
  const key = JSON.stringify(answer.cards);
  if (!swaps.has(key)) swaps.set(key, Object.fromEntries(sections.map((section) => [section, {}])));
  const moved = swaps.get(key);
  const box = h('div', { class: 'answer swap' });
  const line = (section, name) => {
    const by = moved[section][name] ?? 0;
    const [here, side] = [count(way(section, 'out'), name) + by, count(way(section, 'in'), name) - by];
    const step = (change, word, off) => {
      const key = `${section} ${name} ${word}`;
      return button(change < 0 ? '−' : '+', () => { moved[section][name] = by + change; draw(key); }, 'icon', { 'data-key': key, disabled: off, 'aria-label': `${name} ${word}` });
    };
    return h('li', { onpointerenter: () => t.look(name) }, h('bdi', {}, name), step(-1, 'out', here === 0), h('b', {}, here), step(1, 'in', side === 0), h('span', { class: 'quiet' }, by ? `${by > 0 ? '+' : '−'}${Math.abs(by)} · ` : '', `${side} aside`));
  };
  const draw = (focus) => {
    const sum = (sign) => sections.flatMap((section) => Object.values(moved[section])).reduce((total, by) => total + Math.max(0, sign * by), 0);
    const scrolled = $('.lines', box)?.scrollTop ?? 0;
    box.replaceChildren(h('div', { class: 'lines', tabindex: '0', role: 'group', 'aria-label': 'Cards to swap' }, sections.map((section) => {
      // Cards that can come in come first.
      const [aside, here] = [way(section, 'in').of, way(section, 'out').of];
      const names = [...new Set(aside), ...new Set(here.filter((name) => !aside.includes(name)))];
      return [h('h3', {}, titled(section)), h('ul', {}, names.map((name) => line(section, name)))];
    })), h('p', { class: 'row' }, button(sentence(answer.told), send, 'main', { 'data-key': `answer ${answer.at}`, disabled: !sum(1) && !sum(-1) }), h('span', { class: 'quiet', role: 'status' }, `${sum(-1)} out, ${sum(1)} in`)));
    $('.lines', box).scrollTop = scrolled;
    if (focus) box.querySelector(`[data-key="${CSS.escape(focus)}"]:not(:disabled)`)?.focus({ preventScroll: true });
  };
  const send = () => t.act({
    answer: {
      option: answer.at,
      cards: answer.cards.map((list) => {
        const sign = list.at[1] === 'out' ? -1 : 1;
        return Object.entries(moved[list.at[0]] ?? {}).flatMap(([name, by]) => (sign * by > 0 ? list.of.flatMap((one, at) => (one === name ? [at] : [])).slice(0, sign * by) : [])).sort((one, other) => one - other);
      }),
    },
  });
  draw();
  return box;
}
