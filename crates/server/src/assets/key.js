// A key in the address, behind the `#`, goes to the server once and out of the address.
import { h } from './dom.js';

function enter() {
  const found = /(?:^#|&)key=([0-9a-z]+)/i.exec(location.hash);
  if (!found) return;
  const path = location.pathname + location.search;
  const rest = location.hash.replace(/(^#|&)key=[0-9a-z]+/i, '');
  const asked = document.getElementById('key-form');
  history.replaceState(null, '', path + (rest ? '#' + rest.replace(/^[#&]/, '') : ''));
  // A page that is open already takes a key, too: its own link again, or another player's.
  const form = asked ?? h('form', { method: 'post', action: '/enter' },
    h('input', { type: 'hidden', name: 'key' }), h('input', { type: 'hidden', name: 'next' }));
  form.querySelector('[name=key]').value = found[1];
  form.querySelector('[name=next]').value = path;
  if (!asked) document.body.append(form);
  form.submit();
}

enter();
// A link that is pasted where its page is open already loads nothing by itself.
addEventListener('hashchange', enter);
