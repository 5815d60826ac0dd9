// The page that opens decks by their link: the key goes into the form and out of the address. It is
// sent by the reader and not by the page, since it shows this browser's decks to whoever has the link.
function take() {
  const found = /(?:^#|&)key=([0-9a-z]+)/i.exec(location.hash);
  const field = document.getElementById('key');
  if (!found || !field) return;
  history.replaceState(null, '', location.pathname);
  field.value = found[1];
}

take();
addEventListener('hashchange', take);
