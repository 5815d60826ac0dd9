// What the engine says of a deck, as every page shows it: its verdict, its findings, and what is changed in it.
import { h } from './dom.js';
import { sentence } from './words.js';

export const VERDICTS = { legal: 'Legal', illegal: 'Not legal', incomplete: 'Not finished', unreadable: 'Not readable' };

/** A verdict in colour, shape and word. */
export const verdict = (word, words = VERDICTS[word]) => h('span', { class: `verdict ${word}` }, words);

/** @param {{severity: string, line?: number, message: string, help?: string, source?: string}[]} all
 * @param {(finding: any) => any} [more] what comes after a finding, such as a button */
export const findings = (all, more = () => null) => h('ul', { class: 'findings' }, all.map((one) => h('li', { class: `finding ${one.severity}` },
  h('span', {}, one.line ? h('b', {}, `Line ${one.line}: `) : '', h('bdi', {}, sentence(one.message, '.')),
    one.help && h('span', { class: 'quiet' }, ' ', h('bdi', {}, sentence(one.help, '.'))), one.source && [' ', h('cite', {}, one.source)]),
  more(one))));

/** How many copies of which cards come and go. @param {{section: string, card: string, from: number, to: number}[]} all
 * @param {(section: string) => any} [named] a section in words */
export const changes = (all, named = () => '') => h('ul', { class: 'changes' }, all.map(({ section, card, from, to }) => h('li', { class: to > from ? 'in' : 'out' },
  h('b', {}, to > from ? `+${to - from}` : `−${from - to}`), ' ', h('bdi', {}, card), ' ', h('span', { class: 'quiet' }, named(section)))));
