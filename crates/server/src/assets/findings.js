// Findings of a deck, in the words of the engine.
import { h } from './dom.js';

export const VERDICTS = { legal: 'Legal', illegal: 'Not legal', incomplete: 'Not finished', unreadable: 'Not readable' };

/** A message, with the names between its backticks in bold. @param {string} text */
const words = (text) => h('bdi', {}, (text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')).split('`').map((part, at) => (at % 2 ? h('b', {}, part) : part)));

/** @param {{severity: string, line?: number, message: string, help?: string, source?: string}[]} all */
export const findings = (all) => h('ul', { class: 'findings' }, all.map((one) => h('li', { class: `finding ${one.severity}` }, one.line ? h('b', {}, `Line ${one.line} `) : '', words(one.message),
  one.help ? h('span', { class: 'quiet' }, ' ', words(one.help)) : '', one.source ? [' ', h('cite', {}, one.source)] : '')));
