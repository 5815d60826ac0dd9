// A card of the pool or the deck: what it answers to, and its row in a list.
import { button, h, spoken } from './dom.js';
import { colourOf, words } from './words.js';

const coarse = matchMedia('(pointer: coarse)');

/**
 * What a card answers to: click, right click, drag, keys, and its odds where it is pointed at. Arrows move among
 * cards where their list is one Tab stop.
 * @param {any} app @param {string} name
 * @param {{from: ?string, change: (by: number, element: HTMLElement) => void, set: (copies: number) => void}} ways
 * the section that it lies in, and how its copies change
 */
export const acts = (app, name, { from, change, set }) => ({
  'data-name': name, tabindex: -1, draggable: 'true', ondragstart: (event) => app.drag(event, name, from),
  onclick: (event) => { if (coarse.matches) app.sheet(name, from); else if (event.shiftKey) app.most(name); else change(1, event.currentTarget); },
  oncontextmenu: (event) => { event.preventDefault(); if (!coarse.matches) app.menu(name, from, event.currentTarget, event); },
  ...looked(app, name), onfocus: (event) => { if (event.target.matches(':focus-visible')) app.look(name, event.target); },
  onkeydown: (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[0-9]$/.test(event.key)) set(Number(event.key));
    else if (event.key === '-' || event.key === 'Backspace') change(-1, event.currentTarget);
    else if (event.key === '+') change(1, event.currentTarget);
    else if (event.key.toLowerCase() === 'i') app.sheet(name, from);
    else if (event.key.toLowerCase() === 'm') app.menu(name, from, event.currentTarget);
  },
});

/** A card is shown in full while it is pointed at. */
export const looked = (app, name) => ({ onpointerenter: (event) => app.look(name, event.currentTarget), onpointerleave: () => app.unlook(), onblur: () => app.unlook() });

/** Buttons that add and remove a card, and between them its number. */
export const stepper = (name, kind, change, number) => h('div', { class: kind }, button('−', () => change(-1), 'plain icon', { 'aria-label': `Remove one ${name}`, tabindex: -1 }), number,
  button('+', () => change(1), 'plain icon', { 'aria-label': `Add one ${name}`, tabindex: -1 }));

/** A card in one line. @param {object} ways what it answers to @param {string} about what is told of it after its name @param {HTMLElement} counter */
export function row(app, card, ways, about, counter) {
  const { game } = app, { cost } = game.face ?? {};
  return h('div', { class: 'row', style: { '--c': colourOf(game, card) } }, h('span', { class: 'art' }),
    h('button', { ...ways, class: 'open' }, h('span', { class: 'pip' }, cost ? words(game, cost, card[cost]) : ''), h('span', { class: 'what' }, card.name, h('small', {}, about)), spoken('')), counter);
}
