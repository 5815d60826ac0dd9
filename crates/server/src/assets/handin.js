// A player's pages work without this: it adds the time that is left, whole links, and the verdict
// while a deck is typed.
import './due.js';
import './key.js';
import { $, copier, h, takesFile } from './dom.js';
import { findings, verdict } from './findings.js';
import { request } from './http.js';
import { plural } from './words.js';

for (const link of document.querySelectorAll('a.private')) {
  link.textContent = link.href;
  link.after(' ', copier(() => link.href));
}

const form = $('#hand-in'), key = `hand-in ${location.pathname.split('/')[2]}`, built = sessionStorage.getItem(key), mine = $('a[href$="/mine"]');
// A deck that comes from the builder changes the one that was submitted before.
if (built && mine && !location.pathname.endsWith('/mine')) location.assign(mine.href);
else if (form) {
  const [deck, file, place, send] = ['#deck', '#file', '#verdict', '.btn.main'].map((selector) => $(selector, form));
  let timer = 0, number = 0;
  const check = async () => {
    const own = ++number;
    if (!deck.value.trim()) return place.replaceChildren();
    const answer = await request(`/api/e/${form.dataset.event}/check`, { deck: deck.value, file: file.value }).catch((error) => error);
    if (own !== number) return;
    // The deck is checked as soon as the server is back.
    if (answer.passes) timer = setTimeout(check, 2000);
    if (!answer.verdict) return place.replaceChildren(h('p', { class: 'message' }, 'Not checked. ', answer.message));
    place.replaceChildren(h('p', {}, verdict(answer.verdict), answer.verdict === 'unreadable' ? '' : ` ${plural(answer.cards, 'card')}`), findings(answer.findings));
    // The button says what it does.
    send.value = answer.verdict === 'illegal' || answer.verdict === 'incomplete' ? 'anyway' : 'hand-in';
    send.textContent = send.value === 'anyway' ? 'Hand in anyway' : 'Hand in';
  };
  deck.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(check, 200); });
  if (built) {
    deck.value = built;
    sessionStorage.removeItem(key);
  }
  // A browser may have put back what was typed before.
  if (deck.value !== deck.defaultValue) check();
  $('#choose').hidden = false;
  takesFile(deck, async (one) => { [deck.value, file.value] = [await one.text(), one.name]; check(); }, $('#deck-file'));
}
