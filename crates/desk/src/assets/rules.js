// The right pane: what the rules say of the deck, what would mend it, and its odds.
import { ask, dialog, fill, h, later, passes, rows, say, told as words } from './api.js';

const percent = (value) => {
  if (value > 0.9995 && value < 1) return '> 99.9 %';
  if (value > 0 && value < 0.0005) return '< 0.1 %';
  return `${(100 * value).toFixed(1)} %`;
};

/** Two chances, with as many digits as it takes to tell them apart. */
const apart = (one, other) => {
  if (percent(one) !== percent(other)) return [percent(one), percent(other)];
  const digits = [2, 3, 4, 5, 6].find((count) => (100 * one).toFixed(count) !== (100 * other).toFixed(count)) ?? 6;
  return [one, other].map((value) => `${(100 * value).toFixed(digits)} %`);
};

/** What is wrong with a question, and what would mend it. */
const wrong = (answer) => [answer.error, answer.mend].filter(Boolean).join('. ');

/** What is wrong by a finding that leaves a rule open: it is neither kept nor broken. */
const OPEN = ['unset', 'unverified', 'out-of-force', 'not-in-pool'];

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

/** @param {any} app */
export function rulesPane(app) {
  const { game } = app;
  const verdict = h('div', { class: 'verdicts' });
  const chances = h('div', {});
  const store = `odds-${game.format}`;
  const kept = JSON.parse(localStorage.getItem(store) ?? '{"queries":[],"hand":null}');
  /** @type {any} the last odds, */ let odds = null;
  /** the deck that they are of, where what was asked is still what is asked, */ let of = null;
  /** the answers to the reader's own questions, */ let told = new Map();
  /** and the questions that ever had one: other decks are asked those, too. */ const answered = new Set(kept.queries);
  let deal = 0;
  let asked = null;
  let number = 0;
  let timer = 0;
  const element = h('section', { class: 'pane', id: 'rules', 'aria-label': 'Rules' }, verdict, chances,
    h('details', {}, h('summary', {}, `What ${game.name} demands`), h('ul', { class: 'findings' }, game.rules.map((rule) =>
      h('li', { class: 'finding' }, h('b', {}, rule.id), ' ', rule.about, ' ', h('cite', {}, rule.source)))),
    game.gaps.length > 0 && [h('h3', {}, 'What the text leaves open'), h('ul', {}, game.gaps.map((gap) => h('li', {}, gap.about, ' ', h('cite', {}, gap.source))))]));

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
    finding.mend && h('div', { class: 'quiet' }, words(finding.mend)),
    h('div', { class: 'row' },
      finding.cards.length > 0 && h('button', { 'data-key': `p${finding.rule}${finding.cards[0]}`, onclick: () => point(finding) }, 'Show'),
      mends && h('button', { 'data-key': `r${finding.rule}${finding.cards[0] ?? ''}`, onclick: () => repair(app, finding) }, 'Mend…'))));

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
      errors && check.hash && h('p', { class: 'row' }, h('button', { class: 'primary', 'data-key': 'repair', onclick: () => repair(app) }, 'Smallest repair…'),
        localStorage.getItem(`owned-${game.game}`) && h('button', { 'data-key': 'repair-own', onclick: () => repair(app, null, true) }, 'With what I own…')),
      fresh && !findings.length && h('p', {}, 'Every rule is kept.'),
      list,
      answer.findings > findings.length && h('p', { class: 'quiet' }, `and ${answer.findings - findings.length} more`));
  };

  const drawOdds = () => {
    chances.toggleAttribute('data-other', of !== app.deck.now);
    const own = (query, at) => {
      const answer = told.get(query);
      const found = answer?.answers?.[0];
      return h('tr', {}, h('td', {}, h('code', {}, query), answer?.error && h('div', { class: 'message' }, wrong(answer))),
        h('td', {}, found ? value(found) : '', ' ', found?.probability < 1 && h('button', { 'aria-label': `Best exchange for ${query}`, title: 'The exchange of one card that makes it likeliest', 'data-key': `x${at}`, onclick: () => exchange(app, query, kept.hand) }, '⇄'), ' ', h('button', { 'aria-label': `Leave out ${query}`, 'data-key': `q${at}`, onclick: () => { kept.queries = kept.queries.filter((one) => one !== query); changed(); } }, '✕')));
    };
    const value = (found) => found.probability !== undefined
      ? h('span', { title: found.fraction ?? `${found.method}: ${percent(found.low)} to ${percent(found.high)}` }, percent(found.probability), found.method === 'exact' ? '' : ' ≈')
      : h('span', { title: found.fraction ?? found.method }, found.mean?.toFixed(2) ?? '');
    const query = h('input', { 'aria-label': 'A question about hands', placeholder: 'A question: 1+ [type:…] or sum(…)', 'data-key': 'ask-odds', spellcheck: 'false', value: asked ?? '', oninput: () => { asked = query.value; } });
    const presets = odds?.presets?.answers ?? [];
    fill(chances, h('h2', {}, 'Odds', odds?.population ? h('span', { class: 'quiet' }, ` of ${odds.population} in ${app.section(odds.section)}`) : ''),
      odds?.error && h('p', { class: 'quiet' }, odds.error),
      odds?.presets?.error && h('p', { class: 'quiet' }, wrong(odds.presets)),
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
      (odds?.deals ?? []).map((hand) => h('div', { class: 'hand' }, hand.cards.map((card) => h('span', {}, h('bdi', {}, card))))));
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
      const { queries, hand } = kept;
      try {
        const answer = await ask('POST', '/api/odds', { format: game.format, deck, odds: { queries, hand, deal: deal ? 5 : 0, seed: String(deal) } });
        if (mine !== number) return;
        odds = answer;
        told = new Map(queries.map((query, at) => [query, answer.own?.[at]]));
        for (const query of queries) if (told.get(query)?.answers) answered.add(query);
        keep();
      } catch (error) {
        if (mine !== number) return;
        odds = { error: error.message };
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

/** The changes of a repair in which another card comes in for one that the banlist takes out. */
function substituted(app, changes, gone, card) {
  let left = gone.copies;
  const others = changes.map((change) => {
    const less = change.section === gone.section ? Math.min(left, Math.max(0, change.to - change.from)) : 0;
    left -= less;
    return { ...change, to: change.to - less };
  });
  const known = others.find((one) => one.section === gone.section && one.card === card);
  const before = known ? known.to : app.deck.count(gone.section, card);
  return [...others, { section: gone.section, card, to: before + gone.copies }];
}

/** The changes of copies, a line each. */
const changeList = (app, changes) => h('ul', { class: 'changes' }, changes.map((change) => {
  const by = change.to - change.from;
  return h('li', { class: by > 0 ? 'plus' : 'minus' }, h('b', {}, by > 0 ? `+${by}` : `−${-by}`), ' ', h('bdi', {}, change.card), ' ', h('span', { class: 'quiet' }, `${app.section(change.section)}, ${change.from} → ${change.to}${change.rules?.length ? ` · ${change.rules.join(', ')}` : ''}`));
}));

/**
 * Asks for a change to the deck on the screen: what is told, and how it is carried out. To another
 * deck than the one that was asked about it is not done.
 * @param {any} app @param {string} path @param {any} more
 */
async function proposed(app, path, more) {
  const deck = app.deck.now;
  const still = () => deck === app.deck.now || (say('The deck was changed meanwhile. Ask again.'), false);
  try {
    const told = await ask('POST', path, { format: app.game.format, deck, ...more });
    if (!still()) return null;
    return { told, take: (changes, choices = []) => { if (still()) app.deck.apply(changes, choices); } };
  } catch (error) {
    say(error.message);
    return null;
  }
}

/** Shows the exchange of one card that makes a hand likeliest, before it is carried out. */
async function exchange(app, query, hand) {
  const change = await proposed(app, '/api/tune', { odds: { queries: [query], hand } });
  if (!change) return;
  const { told: tuned } = change;
  if (tuned.error) return say(wrong(tuned));
  const [step] = tuned.steps;
  const what = h('p', {}, 'For ', h('code', {}, query), ':');
  const none = !step?.changes.length;
  if (none) return dialog('Best exchange', what, h('p', {}, step?.optimal ? `No exchange of one card makes it likelier than ${percent(tuned.before.probability)}: that is proven.` : 'None was found within the work limit of this page; whether there is one is not known.'));
  const [before, after] = apart(tuned.before.probability, step.probability);
  const box = dialog('Best exchange', what, changeList(app, step.changes),
    h('p', {}, h('span', { title: tuned.before.fraction }, before), ' → ', h('b', { title: step.fraction }, after), `, and the deck is ${step.after.verdict}. `,
      step.optimal ? 'No other exchange of one card makes it likelier: that is proven.' : `Whether another is better is not proven; none reaches more than ${percent(step.bound.probability)}.`),
    h('p', { class: 'row' }, h('button', { class: 'primary', autofocus: true, onclick: () => { box.close(); change.take(step.changes); } }, 'Exchange'), h('button', { onclick: () => box.close() }, 'Leave it')));
}

/** Shows the smallest edit that makes the deck legal, or the part that serves one rule, before it is applied. */
async function repair(app, finding = null, own = false) {
  const change = await proposed(app, '/api/fix', { own });
  if (!change) return;
  const { told: fix } = change;
  if (fix.distance === null) {
    return dialog('No repair', h('p', {}, 'No legal deck can be made of this one, because these cannot hold together:'), h('ul', {}, fix.reasons.map((reason) => h('li', {}, reason))));
  }
  const concerns = (one) => !finding || one.rules.includes(finding.rule) || finding.cards.includes(one.card);
  const part = fix.changes.filter(concerns);
  const changes = part.length ? part : fix.changes;
  const choices = fix.choices ?? [];
  const whole = changes.length === fix.changes.length;
  const declared = (one) => h('li', {}, h('b', {}, one.name), ' ', h('span', { class: 'quiet' }, `${one.from ?? 'not declared'} → ${one.to ?? 'not declared'}`));
  const box = dialog(whole ? 'The smallest repair' : `What mends ${finding.rule}`,
    h('p', {}, whole ? `${fix.distance - choices.length} copies ${choices.length ? 'and what is declared ' : ''}change, and the deck is ${fix.after.verdict}.${fix.optimal ? ' No smaller edit does.' : ` At least ${fix.bound} must change; whether fewer than these do is not proven.`}` : `A part of the smallest repair, which changes ${fix.distance} copies in all.`),
    choices.length > 0 && h('ul', { class: 'changes' }, choices.map(declared)), changeList(app, changes),
    whole && (fix.substitutes ?? []).filter((one) => one.instead.length).map((one) => h('p', { class: 'instead' }, `Instead of ${one.copies === 1 ? '' : `${one.copies} copies of `}`, h('bdi', {}, one.card), ', one of these may come in: ',
      one.instead.map(({ card, differs }, at) => [at ? ' ' : '', h('button', { onclick: () => { box.close(); change.take(substituted(app, changes, one, card), choices); } }, h('bdi', {}, card), differs.length ? h('span', { class: 'quiet' }, ` ${differs.join(', ')}`) : '')]))),
    h('p', { class: 'row' }, h('button', { class: 'primary', autofocus: true, onclick: () => { box.close(); change.take(changes, choices); } }, 'Apply'), h('button', { onclick: () => box.close() }, 'Leave it')));
}
