// Odds of hands: the questions that the game's players ask, and one's own.
import { button, dialog, h, percent } from './dom.js';
import { slow } from './engine.js';
import { read, write } from './memory.js';
import { bestSwap } from './offers.js';
import { isNumber, quoted, values } from './words.js';

/** The latest turn that is asked about. */
const LATEST = 20;

/** Opens the odds of the deck. @param {any} app */
export function odds(app) {
  const { game } = app, key = `decklaw/odds/${game.format}`;
  let own = read(key, []);
  const keep = (next) => { own = next; write(key, own); };
  const rows = h('ul', { class: 'chances-list' }), wrong = h('p', { class: 'why', role: 'status' });
  const number = game.builder.filters.find((field) => isNumber(game, field)), word = game.builder.filters.find((field) => !isNumber(game, field));
  const example = word ? `2+ [${word}:${quoted(values(game, word)[0] ?? '')}${number ? ` ${number}<=2` : ''}]` : '1+ [name]';
  const query = h('input', { class: 'input', 'aria-label': 'Cards in hand, as a query', placeholder: example, spellcheck: 'false' }), turn = h('input', { class: 'input turn', type: 'number', min: 1, max: LATEST, value: app.turn, 'aria-label': 'By turn' });

  async function row(asked, remove) {
    const figure = h('b', {}, '…');
    const improve = () => bestSwap(app, { query: asked.query, turn: asked.turn, name: asked.name ?? asked.query });
    const line = h('li', {}, h('span', { class: 'grow' }, asked.name ?? h('code', {}, asked.query), asked.name ? '' : h('small', {}, asked.turn ? ` by turn ${asked.turn}` : ' in the first hand')), figure,
      button('Improve…', improve, 'plain'), remove && button('✕', () => { keep(own.filter((one) => one !== asked)); line.remove(); }, 'plain icon', { 'aria-label': `Remove ${asked.query}` }));
    rows.append(line);
    try {
      const { answers: [answer] } = await slow(app, 'odds', { queries: [asked.query], turns: asked.turn, hand: app.hand });
      const p = (answer.turns?.find((one) => one.turn === asked.turn) ?? answer).probability;
      figure.textContent = p == null ? '–' : percent(p);
      figure.title = answer.fraction ?? '';
      return true;
    } catch (error) {
      figure.textContent = '–';
      if (remove) wrong.textContent = error.message;
      return false;
    }
  }
  const form = h('form', { class: 'acts', onsubmit: async (event) => {
    event.preventDefault();
    if (!query.value.trim()) return;
    wrong.textContent = '';
    const asked = { query: query.value.trim(), turn: Number(turn.value) || null };
    if (await row(asked, true)) {
      keep([...own, asked]);
      query.value = '';
    } else rows.lastChild.remove();
  } }, query, h('label', { class: 'by-turn' }, 'by turn', turn), h('button', { class: 'btn main' }, 'Ask'));
  dialog('Odds of hands', h('p', { class: 'quiet' }, `Exact, for a hand of ${app.hand}${game.hand ? ' and as the game draws' : ''}.`), rows, form, wrong);
  for (const one of game.hands) row(one, false);
  for (const one of own) row(one, true);
}
