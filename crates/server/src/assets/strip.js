// The strip that is always seen, and an instrument: verdict with its first reason and fix, budget, curve, colours, kinds,
// the first odds. Its bars and colours are buttons that filter the cards.
import { button, h, isCalm, percent, pop, rove, spoken } from './dom.js';
import { slow } from './engine.js';
import { VERDICTS, findings as listed } from './findings.js';
import { bucketsOf, colourOf, colourOfValue, first, isNumber, plural, sentence, titled, values, words } from './words.js';

const NAMES = { ...VERDICTS, empty: 'Empty', open: 'Legal so far', unruled: 'Not checked' };
/** Faults that leave a rule open: it is neither kept nor broken. */
const OPEN = ['unset', 'unverified', 'no-rules'];
/** Rules of banlists: for what they take out, another card may come in. */
const LISTED = ['banned', 'restricted', 'points-list'];
const fault = (finding) => finding.code.split('.')[1];
/** Whether cards are missing, and none is too much. */
export const isMissing = ({ limit, actual, fix, cards }) => !fix && (limit !== null && actual !== null ? actual < limit : !cards.length);

/** The findings with the most urgent first: what is broken, what is missing, what was not checked, advice; an empty deck's notice is none. */
export function findings(app) {
  // Of an imported deck the page has the cards alone: what its reader noted stays next to them.
  const noted = app.deck.notes.filter((one) => fault(one) !== 'not-in-pool').map((one) => ({ ...one, rule: 'deck', severity: 'notice', section: null }));
  const all = [...app.view?.check.findings ?? [], ...noted].filter((one) => fault(one) !== 'no-cards');
  const rank = (one) => (one.severity === 'error' ? (isMissing(one) ? 2 : one.fix ? 0 : 1) : fault(one) === 'unset' ? 3 : OPEN.includes(fault(one)) ? 4 : one.severity === 'warning' ? 5 : 6);
  return all.map((one, at) => [rank(one), at, one]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , one]) => one);
}
/** The verdict of the page: a deck without cards is empty, one of a format without rules is not checked, and one with rules left open is legal so far. */
export function verdictOf(app) {
  const { check } = app.view;
  if (app.deck.isEmpty) return 'empty';
  if (check.verdict === 'legal' && !isRuled(app)) return 'unruled';
  return check.verdict === 'legal' && check.findings.some((one) => OPEN.includes(fault(one))) ? 'open' : check.verdict;
}
/** A verdict of the page in colour, shape and word. */
export const pillOf = (verdict) => [['open', 'unruled'].includes(verdict) ? 'question' : verdict, NAMES[verdict]];

/** Whether the game has rules of its own: that a card is known is a rule of every game. */
const isRuled = (app) => app.game.rules.some((rule) => rule.kind !== 'unknown-card');
/** What is said of a deck without findings. */
const fine = (app) => (isRuled(app) ? 'Every rule is met.' : 'This format has no rules, so no rule was checked.');

/** One click that does what a finding asks for, and no more. @param {any} app @param {any} finding @param {() => void} [then] */
export function fixButton(app, finding, then) {
  if (!finding || app.deck.isEmpty) return null;
  const does = (label, act, kind = '') => button(label, () => { then?.(); act(); }, kind, { 'data-fix': finding.rule });
  if (LISTED.includes(finding.code.split('.')[0]) && finding.cards.length) return does('Replace…', app.fix);
  if (finding.fix) return does(fixLabel(app, finding.fix), () => app.deck.apply(finding.fix));
  if (fault(finding) === 'unset') return app.game.settings.length ? does('Set them', app.settings) : null;
  const near = fault(finding) === 'not-in-pool' && finding.help?.startsWith('did you mean') ? finding.help.split('`')[1] : null;
  if (near) return does(`Use ${near}`, () => app.rename(finding.cards[0], near));
  if (finding.severity !== 'error') return null;
  // What no number of copies alone repairs is shown before it is done.
  return isMissing(finding) ? does('Suggest cards', app.suggest, 'main') : does('Show a fix…', app.fix);
}
/** What a fix does, in a few words. */
function fixLabel(app, fix) {
  if (fix.length !== 1) return `Change ${plural(fix.length, 'card')}`;
  const [{ section, card, to }] = fix, by = to - app.deck.count(card, section);
  return by > 0 ? `Add ${by}` : to === 0 ? 'Remove' : `Remove ${-by}`;
}

export function strip(root, app) {
  const { game, filters: by } = app;
  const pill = h('button', { class: 'verdict empty', 'aria-haspopup': 'dialog', 'aria-expanded': 'false', onclick: () => pop(pill, list) }), reason = h('p'), fix = h('span', { class: 'fixes' });
  const says = h('div', { class: 'says' }, pill, reason, fix), live = h('span', { class: 'away', role: 'status' });
  const meter = h('div', { class: 'meter' }), curve = h('div', { class: 'curved' }), mix = h('div', { class: 'wide mixed' }), kinds = h('div', { class: 'kinds' }), odds = h('div', { class: 'wide first' }), open = h('button', { title: 'All odds', onclick: () => app.odds() });
  root.append(says, meter, curve, mix, kinds, odds, live);
  let popped = null, was = null;

  function list(box) {
    popped = box;
    const all = findings(app), meters = app.view.check.meters ?? [];
    const opens = (words, act) => button(words, () => { box.close(); act(); }, 'plain');
    box.replaceChildren(all.length ? listed(all.map((one) => ({ ...one, line: null })), (one) => fixButton(app, one, box.close)) : h('p', {}, fine(app)),
      meters.length ? h('ul', { class: 'meters' }, meters.map((one) => h('li', {}, one.text))) : '',
      h('div', { class: 'acts' }, all.some((one) => one.severity === 'error') && opens('Fix the whole deck…', app.fix), opens(`Rules of ${game.name}`, app.rules), game.settings.length > 0 && opens('House rules', app.settings)));
  }
  app.watch(() => {
    root.classList.toggle('stale', !app.isFresh());
    if (!app.view) return;
    if (app.trouble && !app.isFresh()) { fix.replaceChildren(button('Retry', app.refresh)); reason.replaceChildren(`Not checked. ${app.trouble}`); return; }
    const verdict = verdictOf(app), [top, ...others] = findings(app), [look, name] = pillOf(verdict);
    pill.className = `verdict ${look}`;
    pill.dataset.verdict = app.view.check.verdict;
    if (was && was !== verdict && verdict === 'legal' && !isCalm()) requestAnimationFrame(() => pill.classList.add('sweep'));
    was = verdict;
    if (pill.textContent !== name) { pill.replaceChildren(name, spoken('. Show all findings')); live.textContent = name; }
    const text = verdict === 'empty' ? [app.guides ? 'Start with the steps in the deck, or search for a card.' : 'Search for a card, or paste a list.'] : top ? sentence(top.message) : [fine(app)];
    reason.replaceChildren(...text, verdict !== 'empty' && others.length ? h('span', { class: 'quiet' }, ` and ${others.length} more`) : '');
    reason.title = reason.textContent;
    fix.replaceChildren(...[fixButton(app, verdict === 'empty' || app.guides ? null : top)].filter(Boolean));
    drawMeter(); drawCurve(); drawMix(); drawKinds(); drawOdds();
    if (popped?.isConnected) list(popped);
  });
  by.watch(() => { drawCurve(); drawMix(); drawKinds(); });

  function drawMeter() {
    const all = app.view.check.meters ?? [], drawn = all.filter((one) => one.section === game.drawn || one.section === null);
    const one = drawn.sort((a, b) => (b.high ?? b.low ?? 0) - (a.high ?? a.low ?? 0))[0], n = app.deck.total(game.drawn);
    if (!one) return meter.replaceChildren(h('h3', {}, h('b', {}, plural(n, 'card'))));
    const goal = one.high ?? one.low, over = one.high !== null && one.value > one.high, state = over ? 'var(--bad)' : one.low === null || one.value >= one.low ? 'var(--ok)' : 'var(--accent)';
    const exact = one.low === one.high, left = goal - one.value, bounds = over ? `${-left} over ${goal}` : exact && left > 0 ? `${left} left of ${goal}` : exact || one.low === null ? `${one.value} of ${goal}` : one.high === null ? `${one.value}, at least ${one.low}` : `${one.value}, ${one.low} to ${one.high}`;
    meter.title = one.text;
    meter.replaceChildren(h('h3', {}, h('b', {}, bounds), h('span', { class: 'quiet' }, one.text.slice(0, one.text.lastIndexOf(': ')))), h('div', { class: 'track' }, h('i', { style: { '--w': `${Math.min(100, goal ? (one.value / goal) * 100 : 0)}%`, '--c': state } })));
  }
  const main = () => app.deck.lines(game.drawn).map(({ name, count }) => [app.cards.get(name), count]).filter(([card]) => card);
  const sum = (cards) => cards.reduce((all, [, n]) => all + n, 0);
  const group = (place, label, kids) => { const held = place.contains(document.activeElement) && document.activeElement.dataset.key; place.replaceChildren(...kids); place.role = 'group'; place.ariaLabel = label; (place.roved ??= rove(place, 'button'))(); if (held) place.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus(); };
  const pressed = (field, key) => ({ 'data-key': key, tabindex: -1, 'aria-pressed': String(by.state(field, key) === 'want'), onclick: () => by.toggle(field, key) });
  const bars = h('div', { class: 'bars' });
  function drawCurve() {
    const field = game.builder.curve;
    if (!field || !app.view) return;
    const cards = main(), all = bucketsOf(game, field), rest = cards.filter(([card]) => !all.some((one) => one.has(card[field])));
    const columns = [...all.map((one) => [one, cards.filter(([card]) => one.has(card[field]))]), ...(rest.length ? [[null, rest]] : [])], high = Math.max(8, ...columns.map(([, own]) => sum(own)));
    group(bars, `Curve by ${titled(field).toLowerCase()}`, columns.map(([one, own]) => h('button', { ...(one ? pressed(field, one.key) : { tabindex: -1, disabled: true }), title: `${one ? `${titled(field)} ${one.label}` : `Without ${titled(field).toLowerCase()}`}: ${plural(sum(own), 'card')}` }, h('b', {}, sum(own) || ''),
      h('span', { class: 'pile' }, [...Map.groupBy(own, ([card]) => colourOf(game, card))].map(([colour, of]) => h('i', { style: { '--n': sum(of) / high, '--c': colour } }))), h('em', {}, one?.label ?? '–'), spoken(`, ${plural(sum(own), 'card')}`))));
    if (!bars.isConnected) curve.append(bars);
  }
  const colours = h('div', { class: 'mix' }, ), names = h('h3');
  function drawMix() {
    const field = game.face?.colour?.by ?? game.builder.groups[0];
    if (!app.view) return;
    const cards = main(), parts = [...Map.groupBy(cards, ([card]) => first(card, field))].map(([value, of]) => [value, sum(of), colourOfValue(game, field, value) ?? 'var(--ink-3)']).sort((a, b) => b[1] - a[1]);
    names.replaceChildren(parts.length ? h('span', { class: 'cut' }, parts.slice(0, 3).map(([value, n], at) => [at ? ' · ' : '', h('b', {}, n), ` ${words(game, field, value) || 'Other'}`])) : 'No cards yet');
    group(colours, `Cards by ${titled(field ?? 'kind').toLowerCase()}`, parts.map(([value, n, colour]) => h('button', { ...(value == null ? { tabindex: -1, disabled: true } : pressed(field, String(value))), title: `${words(game, field, value) || 'Other'}: ${plural(n, 'card')}`, style: { '--n': n, '--c': colour } }, spoken(`${words(game, field, value) || 'Other'}, ${plural(n, 'card')}`))));
    if (!colours.isConnected) mix.append(names, colours);
  }
  function drawKinds() {
    const field = game.builder.filters.find((one) => one !== game.face?.colour?.by && !isNumber(game, one) && values(game, one).length > 1) ?? game.builder.filters.find((one) => !isNumber(game, one));
    if (!field || !app.view) return;
    const parts = [...Map.groupBy(main(), ([card]) => first(card, field))].filter(([value]) => value != null).map(([value, of]) => [value, sum(of)]).sort((a, b) => b[1] - a[1]);
    group(kinds, `Cards by ${titled(field).toLowerCase()}`, parts.map(([value, n]) => h('button', pressed(field, String(value)), h('b', {}, n), ` ${words(game, field, value)}`)));
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
