// The desk's pages work without this: it adds a countdown, whole links, and the verdict while a
// deck is typed.
import './key.js';
import { ask, fill, h, later, passes, pause, told as words } from './api.js';

for (const link of document.querySelectorAll('a.private')) {
  link.textContent = link.href;
  const copy = h('button', { type: 'button', onclick: async () => {
    await navigator.clipboard?.writeText(link.href);
    copy.textContent = 'Copied';
  } }, 'Copy');
  if (navigator.clipboard) link.after(' ', copy);
}

// The desk shows what happened meanwhile, by hand-ins, other organisers and commands; not while
// somebody types into it.
const desk = document.querySelector('main[data-desk]');
if (desk) {
  const fresh = document.getElementById('fresh');
  const look = async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(`${desk.dataset.desk}/desk/head`, { credentials: 'same-origin' });
        if (answer.ok && (await answer.text()) !== desk.dataset.head) {
          const typing = [...document.querySelectorAll('main textarea, main input:not([type=hidden])')].some((one) => one.value !== one.defaultValue);
          if (!typing && !document.querySelector('main details[open]')) return location.reload();
          fill(fresh, 'Something has happened since. ', h('a', { href: location.href }, 'Show it'));
        }
      } catch {
        fill(fresh, 'The server does not answer; what is shown may be old.');
      }
    }
    setTimeout(look, 3000);
  };
  setTimeout(look, 3000);
}

const left = document.querySelector('.countdown');
if (left) {
  const due = new Date(left.dataset.due).getTime();
  const tick = () => {
    const seconds = Math.round((due - Date.now()) / 1000);
    const far = Math.abs(seconds);
    const parts = [[86400, 'd'], [3600, 'h'], [60, 'min']].map(([size, name], at, all) =>
      [Math.floor((at ? far % all[at - 1][0] : far) / size), name]);
    const shown = parts.filter(([number]) => number).slice(0, 2).map((part) => part.join(' ')).join(' ') || `${far} s`;
    left.textContent = seconds > 0 ? `in ${shown}` : `over since ${shown}`;
  };
  tick();
  setInterval(tick, 1000);
}

const form = document.getElementById('hand-in');
if (form) {
  const deck = form.querySelector('#deck');
  const place = form.querySelector('#verdict');
  let timer = 0;
  let number = 0;
  /** What is shown below the deck is about it as it is. */
  const stale = () => {
    number += 1;
    fill(place, deck.value.trim() ? h('p', { class: 'quiet' }, 'Checking…') : []);
  };
  const check = async (tries = 0) => {
    const mine = ++number;
    if (!deck.value.trim()) return fill(place);
    try {
      const told = await ask('POST', `/api/e/${form.dataset.event}/check`, { deck: deck.value, file: form.querySelector('#file').value });
      if (mine !== number) return;
      fill(place, h('p', {}, 'This deck is ', h('span', { class: `verdict ${told.verdict}` }, told.verdict), '.'),
        h('ul', { class: 'findings' }, told.findings.map((one) => h('li', { class: `finding ${one.severity}` },
          one.line ? h('b', {}, `Line ${one.line} `) : '', words(one.message),
          one.help ? h('span', { class: 'quiet' }, ' ', words(one.help)) : '', one.source ? [' ', h('cite', {}, one.source)] : ''))));
    } catch (error) {
      if (mine !== number) return;
      fill(place, h('p', { class: 'message' }, 'Not judged. ', error.message));
      if (!passes(error)) return;
      await later(pause(tries));
      if (mine === number) check(tries + 1);
    }
  };
  deck.addEventListener('input', () => { clearTimeout(timer); stale(); timer = setTimeout(check, 200); });
  // What a browser put back into the form was not judged.
  if (deck.value !== deck.defaultValue) { stale(); check(); }
  deck.addEventListener('dragover', (event) => event.preventDefault());
  deck.addEventListener('drop', async (event) => {
    const dropped = event.dataTransfer.files[0];
    if (!dropped) return;
    event.preventDefault();
    deck.value = await dropped.text();
    form.querySelector('#file').value = dropped.name;
    stale();
    check();
  });
}
