// A card of the pool or the deck: what it answers to, and its row in a list.
import { button, h, spoken } from './dom.js';
import { colourOf, words } from './words.js';

const coarse = matchMedia('(pointer: coarse)');

/**
 * What a card answers to: click, right click, drag, keys, and its odds where it is pointed at.
 * @param {any} app @param {string} name
 * @param {{from: ?string, change: (by: number) => void, set: (copies: number) => void, step: (element: Element, across: number, down: number) => ?HTMLElement}} ways
 * the section that it is dragged from, how its copies change, and which card is next to it
 */
export const acts = (app, name, { from, change, set, step }) => ({
  'data-name': name, draggable: 'true', ondragstart: (event) => app.drag(event, name, from),
  onclick: (event) => { if (coarse.matches) app.sheet(name); else if (event.shiftKey) app.most(name); else change(1); },
  oncontextmenu: (event) => { event.preventDefault(); if (!coarse.matches) change(-1); },
  ...looked(app, name), onfocus: (event) => { if (event.target.matches(':focus-visible')) app.look(name, event.target); },
  onkeydown: (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [across, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] ?? [0, 0];
    if (across || down) { event.preventDefault(); step(event.currentTarget, across, down)?.focus(); }
    else if (/^[0-9]$/.test(event.key)) set(Number(event.key));
    else if (event.key === '-' || event.key === 'Backspace') change(-1);
    else if (event.key === '+') change(1);
    else if (event.key.toLowerCase() === 'i') app.sheet(name);
  },
});

/** A card is shown in full while it is pointed at. */
export const looked = (app, name) => ({ onpointerenter: (event) => app.look(name, event.currentTarget), onpointerleave: app.unlook, onblur: app.unlook });

/** Buttons that add and remove a card, and between them its number. */
export const stepper = (name, kind, change, number, more = {}) => h('div', { class: kind }, button('−', () => change(-1), 'plain icon', { 'aria-label': `Remove one ${name}`, ...more }), number,
  button('+', () => change(1), 'plain icon', { 'aria-label': `Add one ${name}`, ...more }));

/** A card in one line. @param {object} ways what it answers to @param {string} about what is told of it after its name @param {HTMLElement} counter */
export function row(app, card, ways, about, counter) {
  const { game } = app;
  const { cost } = game.face ?? {};
  return h('div', { class: 'row', style: { '--c': colourOf(game, card) } }, h('span', { class: 'art' }),
    h('button', { ...ways, class: 'open' }, h('span', { class: 'pip' }, cost ? words(game, cost, card[cost]) : ''), h('span', { class: 'what' }, card.name, h('small', {}, about)), spoken('')), counter);
}
