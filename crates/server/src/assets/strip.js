// The strip that is always seen: verdict with its first reason and fix, budget, curve, colours, the first odds.
import { button, h, percent, pop, spoken } from './dom.js';
import { slow } from './engine.js';
import { VERDICTS, findings as listed } from './findings.js';
import { colourOf, colourOfValue, first, plural, sentence, titled, values, words } from './words.js';

const NAMES = { ...VERDICTS, empty: 'Empty', open: 'Legal so far', unruled: 'Not checked' };
/** Faults that leave a rule open: it is neither kept nor broken. */
const OPEN = ['unset', 'unverified', 'no-rules'];
/** Rules of banlists: for what they take out, another card may come in. */
const LISTED = ['banned', 'restricted', 'points-list'];
const fault = (finding) => finding.code.split('.')[1];
/** The most columns of the curve. */
const COLUMNS = 9;

/** The findings with the most urgent first: errors, what was not checked, advice; an empty deck's notice is none. */
export function findings(app) {
  // Of an imported deck the page has the cards alone: what its reader noted stays next to them.
  const noted = app.deck.notes.filter((one) => fault(one) !== 'not-in-pool').map((one) => ({ ...one, rule: 'deck', severity: 'notice', section: null }));
  const all = [...app.view?.check.findings ?? [], ...noted].filter((one) => fault(one) !== 'no-cards');
  const rank = (one) => (one.severity === 'error' ? (one.fix ? 0 : 1) : fault(one) === 'unset' ? 2 : OPEN.includes(fault(one)) ? 3 : one.severity === 'warning' ? 4 : 5);
  return all.map((one, at) => [rank(one), at, one]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , one]) => one);
}
/** The verdict of the page: a deck without cards is empty, one of a format without rules is not checked, and one with rules left open is legal so far. */
function verdictOf(app) {
  const { check } = app.view;
  if (app.deck.isEmpty) return 'empty';
  if (check.verdict === 'legal' && !isRuled(app)) return 'unruled';
  return check.verdict === 'legal' && check.findings.some((one) => OPEN.includes(fault(one))) ? 'open' : check.verdict;
}

/** Whether the game has rules of its own: that a card is known is a rule of every game. */
const isRuled = (app) => app.game.rules.some((rule) => rule.kind !== 'unknown-card');
/** What is said of a deck without findings. */
const fine = (app) => (isRuled(app) ? 'Every rule is met.' : 'This format has no rules, so no rule was checked.');

/** One click that fixes a finding. @param {any} app @param {any} finding @param {() => void} [then] */
export function fixButton(app, finding, then) {
  if (!finding || app.deck.isEmpty) return null;
  const does = (label, act, kind = '') => button(label, () => { then?.(); act(); }, kind, { 'data-fix': finding.rule });
  if (LISTED.includes(finding.code.split('.')[0])) return does('Replace…', app.fix);
  if (finding.fix) return does(fixLabel(app, finding.fix), () => app.deck.apply(finding.fix));
  if (fault(finding) === 'unset') return app.game.settings.length ? does('Set them', app.settings) : null;
  const near = fault(finding) === 'not-in-pool' && finding.help?.startsWith('did you mean') ? finding.help.split('`')[1] : null;
  if (near) return does(`Use ${near}`, () => app.rename(finding.cards[0], near));
  if (finding.severity !== 'error') return null;
  if (app.view.check.verdict === 'incomplete') return does('Suggest cards', app.suggest, 'main');
  return does('Fix', app.fix);
}
/** What a fix does, in two words. */
function fixLabel(app, fix) {
  if (fix.length !== 1) return 'Fix';
  const [{ section, card, to }] = fix, by = to - app.deck.count(card, section);
  return by > 0 ? `Add ${by}` : to === 0 ? 'Remove' : `Remove ${-by}`;
}

export function strip(root, app) {
  const { game } = app;
  const pill = h('button', { class: 'verdict empty', 'aria-haspopup': 'dialog', 'aria-expanded': 'false', onclick: () => pop(pill, list) }), reason = h('p'), fix = h('span', { class: 'fixes' });
  const says = h('div', { class: 'says' }, pill, reason, fix), live = h('span', { class: 'away', role: 'status' });
  const meter = h('div', { class: 'meter' }), curve = h('div', { class: 'curved' }), mix = h('div', { class: 'wide' }), odds = h('div', { class: 'wide first' }), open = h('button', { title: 'All odds', onclick: () => app.odds() });
  root.append(says, meter, curve, mix, odds, live);
  let popped = null;

  function list(box) {
    popped = box;
    const all = findings(app), meters = app.view.check.meters ?? [];
    const opens = (words, act) => button(words, () => { box.close(); act(); }, 'plain');
    box.replaceChildren(all.length ? listed(all.map((one) => ({ ...one, line: null })), (one) => fixButton(app, one, box.close)) : h('p', {}, fine(app)),
      meters.length ? h('ul', { class: 'meters' }, meters.map((one) => h('li', {}, one.text))) : '',
      h('div', { class: 'acts' }, opens(`Rules of ${game.name}`, app.rules), game.settings.length > 0 && opens('House rules', app.settings)));
  }
  app.watch(() => {
    root.classList.toggle('stale', !app.isFresh());
    if (!app.view) return;
    if (app.trouble && !app.isFresh()) { fix.replaceChildren(button('Retry', app.refresh)); reason.replaceChildren(`Not checked. ${app.trouble}`); return; }
    const verdict = verdictOf(app), [top, ...others] = findings(app);
    pill.className = `verdict ${['open', 'unruled'].includes(verdict) ? 'question' : verdict}`;
    pill.dataset.verdict = app.view.check.verdict;
    if (pill.textContent !== NAMES[verdict]) { pill.replaceChildren(NAMES[verdict], spoken('. Show all findings')); live.textContent = NAMES[verdict]; }
    const text = verdict === 'empty' ? [app.guides ? 'Start with the steps in the deck, or search for a card.' : 'Search for a card, or paste a list.'] : top ? sentence(top.message) : [fine(app)];
    reason.replaceChildren(...text, verdict !== 'empty' && others.length ? h('span', { class: 'quiet' }, ` and ${others.length} more`) : '');
    reason.title = reason.textContent;
    fix.replaceChildren(...[fixButton(app, verdict === 'empty' ? null : top)].filter(Boolean));
    drawMeter(); drawCurve(); drawMix(); drawOdds();
    if (popped?.isConnected) list(popped);
  });

  function drawMeter() {
    const all = app.view.check.meters ?? [], drawn = all.filter((one) => one.section === game.drawn || one.section === null);
    const one = drawn.sort((a, b) => (b.high ?? b.low ?? 0) - (a.high ?? a.low ?? 0))[0], n = app.deck.total(game.drawn);
    if (!one) return meter.replaceChildren(h('h3', {}, h('b', {}, plural(n, 'card'))));
    const goal = one.high ?? one.low, state = one.high !== null && one.value > one.high ? 'var(--bad)' : one.low === null || one.value >= one.low ? 'var(--ok)' : 'var(--accent)';
    const bounds = one.low === one.high || one.low === null ? `${one.value} of ${goal}` : one.high === null ? `${one.value}, at least ${one.low}` : `${one.value}, ${one.low} to ${one.high}`;
    const called = one.text.slice(0, one.text.lastIndexOf(': '));
    meter.title = one.text;
    meter.replaceChildren(h('h3', {}, h('b', {}, bounds), h('span', { class: 'quiet' }, called)), h('div', { class: 'track' }, h('i', { style: { '--w': `${Math.min(100, goal ? (one.value / goal) * 100 : 0)}%`, '--c': state } })));
  }
  const main = () => app.deck.lines(game.drawn).map(({ name, count }) => [app.cards.get(name), count]).filter(([card]) => card);
  const sum = (cards) => cards.reduce((all, [, n]) => all + n, 0);
  function drawCurve() {
    const field = game.builder.curve;
    if (!field) return;
    const cards = main(), by = Map.groupBy(cards, ([card]) => String(first(card, field) ?? '')), shown = values(game, field).slice(0, COLUMNS);
    const high = Math.max(8, ...shown.map((value) => sum(by.get(value) ?? [])));
    curve.replaceChildren(h('div', { class: 'bars', role: 'img', 'aria-label': `${titled(field)}: ${shown.map((value) => `${words(game, field, value)} ${sum(by.get(value) ?? [])}`).join(', ')}` }, shown.map((value) => h('span', {}, h('b', {}, sum(by.get(value) ?? []) || ''),
      [...Map.groupBy(by.get(value) ?? [], ([card]) => colourOf(game, card))].map(([colour, of]) => h('i', { style: { '--n': sum(of) / high, '--c': colour } })), h('em', {}, words(game, field, value))))));
  }
  function drawMix() {
    const field = game.face?.colour?.by ?? game.builder.groups[0], cards = main();
    const by = [...Map.groupBy(cards, ([card]) => first(card, field))].map(([value, of]) => [value, sum(of), colourOfValue(game, field, value) ?? 'var(--ink-3)']).sort((a, b) => b[1] - a[1]);
    mix.replaceChildren(h('h3', {}, by.length ? h('span', { class: 'cut' }, by.slice(0, 3).map(([value, n], at) => [at ? ' · ' : '', h('b', {}, n), ` ${words(game, field, value) || 'Other'}`])) : 'No cards yet'), h('div', { class: 'mix', 'aria-hidden': 'true' }, by.map(([, n, colour]) => h('i', { style: { '--n': n, '--c': colour } }))));
  }
  let timer = 0, oddsOf = null;
  /** The game's first question of hands, once the deck rests. */
  function drawOdds() {
    const preset = game.hands[0];
    if (!preset) { if (!odds.firstChild && game.cards) { odds.replaceChildren(open, h('h3', {}, 'Odds of hands'), h('b', {}, '…')); open.ariaLabel = 'Odds of hands'; } return; }
    if (!odds.firstChild) odds.replaceChildren(open, h('h3', {}, h('span', {}, preset.name)), h('b', {}, '–'));
    open.ariaLabel = `${preset.name}. All odds`;
    if (oddsOf === app.deck.now) return;
    oddsOf = app.deck.now;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const deck = app.deck.now, figure = odds.querySelector(':scope > b');
      if (!app.deck.total(game.drawn)) { figure.textContent = '–'; return; }
      try {
        const { answers: [answer] } = await slow(app, 'odds', { queries: [preset.query], turns: preset.turn, hand: app.hand });
        const p = (answer.turns?.find((one) => one.turn === preset.turn) ?? answer).probability;
        if (deck === app.deck.now) figure.textContent = p == null ? '–' : percent(p);
      } catch { figure.textContent = '–'; }
    }, 400);
  }
}
