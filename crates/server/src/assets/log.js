// The log of a table: sentences, by turn and step.
import { h } from './dom.js';

const DICE = '⚀⚁⚂⚃⚄⚅';
export const turnName = (number) => (number ? `Turn ${number}` : 'Opening hand');
const turnOf = (t, number, letter) => `${turnName(number)} · ${t.player(letter)}`;

/** Brings the newest line of the log into sight: of a replay, with some of what comes next. */
export const showNewest = () => {
  const log = document.querySelector('.log');
  const later = log.querySelector('.later');
  log.scrollTop = later ? later.offsetTop - log.offsetTop - log.clientHeight * 2 / 3 : log.scrollHeight;
};
/** On a phone the log opens over the table. */
export const toggleLog = () => { document.querySelector('#rail').classList.toggle('open'); showNewest(); };

/** A sentence of the log, with the name of who did it set apart. */
function sentence(t, { text }) {
  const name = Object.keys(t.view.seats).map(t.player).filter((one) => text.startsWith(one)).sort((one, other) => other.length - one.length)[0];
  const die = / rolled ([1-6])\.$/.exec(text)?.[1];
  return h('li', {}, name ? h('b', {}, h('bdi', {}, name)) : null, name ? text.slice(name.length) : text, die ? h('span', { class: 'die', 'aria-hidden': 'true' }, ` ${DICE[die - 1]}`) : null);
}

/** What happened, as the items of a list. @param {any} t */
export function logLines(t) {
  const { view } = t;
  const lines = [];
  if (view.log?.first) lines.push(h('li', { class: 'quiet' }, `${view.log.first} earlier moves are in the file.`));
  let turn = '', step = '';
  const add = (line) => {
    const now = line.seat ? turnOf(t, line.number, line.seat) : 'Setup';
    if (now !== turn) { lines.push(h('li', { class: 'turn' }, now)); step = ''; }
    if (line.step && line.step !== step) lines.push(h('li', { class: 'step' }, line.step));
    turn = now;
    step = line.step ?? step;
    if (!(t.mat?.steps ?? []).some((name) => line.text.endsWith(`: ${name}.`))) lines.push(sentence(t, line));
  };
  (view.log?.lines ?? []).forEach(add);
  if (view.step && view.step !== step) { lines.push(h('li', { class: 'step' }, view.step)); step = view.step; }
  const now = view.phase === 'game' && turnOf(t, view.turn, view.active);
  if (now && now !== turn) { lines.push(h('li', { class: 'turn' }, now)); turn = now; }
  const shown = lines.length;
  (view.later ?? []).forEach(add);
  lines.slice(shown).forEach((line) => line.classList.add('later'));
  return lines;
}
