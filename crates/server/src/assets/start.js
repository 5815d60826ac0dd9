// The first page: a key from the address, and files that are dropped.
import './key.js';
const deck = document.getElementById('deck');
const file = document.getElementById('file');
const take = async (dropped) => {
  if (!dropped || dropped.size > 65536) return;
  deck.value = await dropped.text();
  file.value = dropped.name;
};
deck.addEventListener('dragover', (event) => event.preventDefault());
deck.addEventListener('drop', (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
deck.addEventListener('input', () => { file.value = ''; });
