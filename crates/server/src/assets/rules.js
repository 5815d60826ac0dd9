// The right pane: what the rules say of the deck, what to do about it, and its odds.
import { failed, fill, h, later, passes, question, rows, say, told as words, wrong } from './api.js';
import { given } from './deck.js';

export const percent = (value) => {
  if (value > 0.9995 && value < 1) return '> 99.9 %';
  if (value > 0 && value < 0.0005) return '< 0.1 %';
  return `${(100 * value).toFixed(1)} %`;
};

/** Two chances, with as many digits as it takes to tell them apart. */
export const apart = (one, other) => {
  if (percent(one) !== percent(other)) return [percent(one), percent(other)];
  const digits = [2, 3, 4, 5, 6].find((count) => (100 * one).toFixed(count) !== (100 * other).toFixed(count)) ?? 6;
  return [one, other].map((value) => `${(100 * value).toFixed(digits)} %`);
};

/** Rules of banlists: what they take out, another card may stand in for. */
const LISTED = ['banned', 'restricted', 'points-list'];

/** What is wrong by a finding that leaves a rule open: it is neither kept nor broken. */
const OPEN = ['unset', 'unverified', 'out-of-force', 'not-in-pool'];

/** What changes a deck is loaded when it is asked for. @param {string} what @param {...any} about */
const mend = (what, ...about) => import('./finish.js').then((mends) => mends[what](...about), () => say('This part of the page cannot be loaded.'));

/** Whether the rules ask for more than is there: then there is more to choose than to mend. @param {any} check */
function lacks(check) {
  const cards = Object.values(check.cards ?? {}).reduce((sum, count) => sum + count, 0);
  const short = check.findings.filter((one) => one.severity === 'error' && one.code.endsWith('.too-few'));
  return !cards || short.reduce((sum, one) => sum + Math.abs(one.limit - one.actual), 0) > cards;
}

/** The verdict on the deck that is on the screen: green alone where nothing was left open. @param {any} app */
export function verdictOf(app) {
  const { answer, silent } = app;
  if (!app.fresh()) return h('span', { class: 'verdict' }, silent ? 'not judged' : 'checking…');
  const { verdict, findings } = answer.check;
  const faults = findings.map((finding) => finding.code.split('.')[1]);
  const empty = faults.includes('no-cards');
  const open = findings.filter((_, at) => OPEN.includes(faults[at])).length;
  const unsure = verdict === 'legal' && (empty || open > 0);
  return h('span', { class: `verdict ${verdict}${unsure ? ' open' : ''}`, 'data-verdict': verdict }, !unsure ? verdict : empty ? 'no cards yet' : `legal, but ${open} not verified`);
}

/** What a format demands, with examples, and what its rules leave open. @param {any} game */
export function demands(game) {
  const example = (words, deck) => deck && h('div', {}, h('b', {}, words), h('pre', {}, deck.trimEnd()));
  return [h('ul', { class: 'findings' }, game.rules.map((rule) => h('li', { class: 'finding' },
    h('b', {}, rule.id), ' ', rule.about, ' ', h('cite', {}, rule.source),
    (rule.passes || rule.fails) && h('details', {}, h('summary', {}, 'Examples'), example('Keeps it:', rule.passes), example('Breaks it:', rule.fails))))),
  game.gaps.length > 0 && [h('h3', {}, 'What the text leaves open'), h('ul', {}, game.gaps.map((gap) => h('li', {}, gap.about, ' ', h('cite', {}, gap.source))))]].filter(Boolean);
}

/** @param {any} app */
export function rulesPane(app) {
  const { game } = app;
  const verdict = h('div', { class: 'verdicts' });
  const chances = h('div', {});
  const store = `odds-${game.format}`;
  const kept = JSON.parse(localStorage.getItem(store) ?? '{"queries":[],"hand":null}');
  /** @type {any} the last odds of the game's own questions, */ let odds = null;
  /** @type {any[]} the sample hands, */ let deals = [];
  /** the deck that they are of, where what was asked is still what is asked, */ let of = null;
  /** the answers to the reader's own questions, */ let told = new Map();
  /** and the questions that ever had one: other decks are asked those, too. */ const answered = new Set(kept.queries);
  let deal = 0;
  let asked = null;
  let number = 0;
  let timer = 0;
  const element = h('section', { class: 'pane', id: 'rules', 'aria-label': 'Rules' }, verdict, chances,
    h('details', {}, h('summary', {}, `What ${game.name} demands`), demands(game)));

  const point = (finding) => {
    app.blamed = new Set(finding.cards);
    app.show('deck');
    app.panes[1].draw();
    document.querySelector('.line.blamed')?.scrollIntoView({ block: 'center' });
    document.querySelector('.line.blamed .name')?.focus({ preventScroll: true });
  };

  const list = h('ul', { class: 'findings' });
  const ones = rows(({ finding, mends }) => h('li', { class: `finding ${finding.severity}`, 'data-rule': finding.rule },
    h('div', {}, words(finding.message), finding.source && [' ', h('cite', {}, finding.source)]),
    finding.help && h('div', { class: 'quiet' }, words(finding.help)),
    h('div', { class: 'row' },
      finding.cards.length > 0 && h('button', { 'data-key': `p${finding.rule}${finding.cards[0]}`, onclick: () => point(finding) }, 'Show'),
      mends && h('button', { 'data-key': `r${finding.rule}${finding.cards[0] ?? ''}`, onclick: () => mend('repair', app, finding) }, LISTED.includes(finding.code.split('.')[0]) ? 'Exchange…' : 'Mend…'))));

  /** The small way where little is wrong, the large one where much is missing; both are there. */
  const choices = (errors, much) => {
    const about = (key, main, act, name) => h('button', { class: main ? 'primary' : undefined, 'data-key': key, onclick: act }, name);
    const finish = about('finish', much, () => mend('finish', app, kept.hand), 'Finish this deck…');
    const smallest = errors && [about('repair', !much, () => mend('repair', app), 'Smallest repair…'),
      localStorage.getItem(`owned-${game.game}`) && about('repair-own', false, () => mend('repair', app, null, true), 'With what I own…')];
    return much ? [finish, smallest] : [smallest, finish];
  };

  const drawVerdict = () => {
    const { answer } = app;
    if (!answer) return;
    const { check } = answer;
    const weight = { error: 0, warning: 1, notice: 2 };
    const findings = [...check.findings].sort((a, b) => weight[a.severity] - weight[b.severity]);
    const errors = findings.some((finding) => finding.severity === 'error');
    fill(list, ones(findings.map((finding) => ({ finding, mends: finding.severity === 'error' && Boolean(check.hash) }))));
    const fresh = app.fresh();
    fill(verdict, h('h2', {}, verdictOf(app)),
      given(app.judged) && h('p', { class: 'quiet' }, `By settings of this deck: ${given(app.judged)}`),
      check.hash && game.rules.length > 0 && h('p', { class: 'row' }, choices(errors, lacks(check))),
      fresh && !findings.length && h('p', {}, 'Every rule is kept.'),
      list,
      answer.findings > findings.length && h('p', { class: 'quiet' }, `and ${answer.findings - findings.length} more`));
  };

  const drawOdds = () => {
    chances.toggleAttribute('data-other', of !== app.deck.now);
    const own = (query, at) => {
      const answer = told.get(query);
      const found = answer?.answers?.[0];
      return h('tr', {}, h('td', {}, h('code', {}, query), failed(answer) && h('div', { class: 'message' }, wrong(answer))),
        h('td', {}, found ? value(found) : '', ' ', found?.fraction && found.probability < 1 && h('button', { 'aria-label': `Best exchange for ${query}`, title: 'The exchange of one card that makes it likeliest', 'data-key': `x${at}`, onclick: () => mend('exchange', app, query, kept.hand) }, '⇄'), ' ', h('button', { 'aria-label': `Leave out ${query}`, 'data-key': `q${at}`, onclick: () => { kept.queries = kept.queries.filter((one) => one !== query); changed(); } }, '✕')));
    };
    const value = (found) => found.method === 'refused'
      ? h('span', { title: found.notes.at(-1) }, found.method)
      : h('span', { title: found.fraction }, found.probability !== undefined ? percent(found.probability) : found.mean.toFixed(2));
    const query = h('input', { 'aria-label': 'A question about hands', placeholder: 'A question: 1+ [type:…] or sum(…)', 'data-key': 'ask-odds', spellcheck: 'false', value: asked ?? '', oninput: () => { asked = query.value; } });
    const presets = odds?.answers ?? [];
    fill(chances, h('h2', {}, 'Odds', odds?.population ? h('span', { class: 'quiet' }, ` of ${odds.population} in ${app.section(game.drawn)}`) : ''),
      failed(odds) && h('p', { class: 'quiet' }, wrong(odds)),
      h('table', { class: 'odds' }, h('tbody', {}, presets.map((found) => h('tr', {}, h('td', {}, found.name ?? found.query), h('td', {}, value(found)))), kept.queries.map(own))),
      h('form', { class: 'row', onsubmit: (event) => {
        event.preventDefault();
        if (!query.value.trim()) return;
        kept.queries = [...kept.queries.filter((one) => one !== query.value.trim()), query.value.trim()];
        asked = '';
        changed();
      } }, query, h('button', {}, 'Ask')),
      game.hand === null && h('label', {}, 'Cards of the opening hand ', h('input', { type: 'number', min: 1, max: 60, value: kept.hand ?? '', 'data-key': 'hand', onchange: (event) => { kept.hand = Number(event.target.value) || null; changed(); } })),
      h('p', { class: 'row' }, h('button', { 'data-key': 'deal', onclick: () => { deal += 1; changed(); } }, deal ? 'Deal anew' : 'Sample hands')),
      deals.map((hand) => h('div', { class: 'hand' }, hand.cards.map((card) => h('span', {}, h('bdi', {}, card))))));
  };

  const keep = () => localStorage.setItem(store, JSON.stringify({ ...kept, queries: kept.queries.filter((query) => answered.has(query)) }));
  const changed = () => {
    of = null;
    keep();
    drawOdds();
    look(true);
  };

  /** Asks for the odds a moment after the last change: they take longer than a verdict. */
  const look = (now = false) => {
    clearTimeout(timer);
    const mine = ++number;
    const go = async () => {
      const deck = app.deck.now;
      const { hand } = kept;
      // The newest of them: a server answers no more at once.
      const queries = kept.queries.slice(-10);
      try {
        const effort = 0.04;
        const asking = queries.map((query) => ({ ...(/^sum\s*\(/i.test(query) && !/[<>=]/.test(query) ? { expect: query } : { queries: [query] }), hand, effort }));
        // The game's own questions come with the sample hands.
        if (game.presets || deal) asking.push({ hand, effort, ...(deal ? { deal: 5, seed: String(deal) } : {}) });
        const answers = asking.length ? (await question('view', { format: game.format, deck, odds: asking })).odds : [];
        if (mine !== number) return;
        const counted = answers.find((one) => !failed(one));
        odds = answers[queries.length] ?? (counted ? { population: counted.population } : null);
        deals = odds?.deals ?? [];
        told = new Map(queries.map((query, at) => [query, answers[at]]));
        for (const query of queries) if (told.get(query)?.answers) answered.add(query);
        keep();
      } catch (error) {
        if (mine !== number) return;
        odds = { kind: 'limit', message: error.message };
        deals = [];
        told = new Map();
        if (passes(error)) later(3000).then(() => { if (mine === number) look(true); });
      }
      of = deck;
      drawOdds();
    };
    timer = setTimeout(go, now ? 0 : 150);
  };

  let seen = null;
  const draw = () => {
    drawVerdict();
    if (seen === null || of !== app.deck.now) drawOdds();
    if (app.fresh() && seen !== app.deck.now) { seen = app.deck.now; look(); }
  };
  return { element, draw };
}
