// A player's pages work without this: it adds the time that is left, whole links, and the verdict
// while a deck is typed.
import './due.js';
import './key.js';
import { $, h } from './dom.js';
import { VERDICTS, findings } from './findings.js';

for (const link of document.querySelectorAll('a.private')) {
  link.textContent = link.href;
  const copy = h('button', { class: 'btn', type: 'button', onclick: async () => {
    await navigator.clipboard.writeText(link.href);
    copy.textContent = 'Copied';
  } }, 'Copy');
  if (navigator.clipboard) link.after(' ', copy);
}

const form = $('#hand-in'), key = `hand-in ${location.pathname.split('/')[2]}`, built = sessionStorage.getItem(key), mine = $('a[href$="/mine"]');
// A deck that comes from the builder changes the one that was submitted before.
if (built && mine && !location.pathname.endsWith('/mine')) location.assign(mine.href);
else if (form) {
  const [deck, file, place, send] = ['#deck', '#file', '#verdict', '.btn.main'].map((selector) => $(selector, form));
  let timer = 0, number = 0;
  const check = async () => {
    const mine = ++number;
    if (!deck.value.trim()) return place.replaceChildren();
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ deck: deck.value, file: file.value }) };
    const answer = await fetch(`/api/e/${form.dataset.event}/check`, sent).then((response) => response.json()).catch(() => null);
    if (mine !== number) return;
    // The deck is checked as soon as the server is back.
    if (!answer) timer = setTimeout(check, 2000);
    if (!answer?.verdict) return place.replaceChildren(h('p', { class: 'message' }, 'Not checked. ', answer?.message ?? 'The server does not answer.'));
    const { verdict, cards } = answer;
    place.replaceChildren(h('p', {}, h('span', { class: `verdict ${verdict}` }, VERDICTS[verdict]), verdict === 'unreadable' ? '' : ` ${cards} cards`), findings(answer.findings));
    // The button says what it does.
    send.value = verdict === 'illegal' || verdict === 'incomplete' ? 'anyway' : 'hand-in';
    send.textContent = send.value === 'anyway' ? 'Hand in anyway' : 'Hand in';
  };
  const typed = () => { clearTimeout(timer); timer = setTimeout(check, 200); };
  deck.addEventListener('input', typed);
  if (built) { deck.value = built; sessionStorage.removeItem(key); }
  // A browser may have put back what was typed before.
  if (deck.value !== deck.defaultValue) check();
  deck.addEventListener('dragover', (event) => event.preventDefault());
  deck.addEventListener('drop', async (event) => {
    const dropped = event.dataTransfer.files[0];
    if (!dropped) return;
    event.preventDefault();
    [deck.value, file.value] = [await dropped.text(), dropped.name];
    check();
  });
}
