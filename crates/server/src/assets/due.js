// The time until hand-in closes, next to the deadline.
import { $ } from './dom.js';

const left = $('.left');
if (left) {
  const due = new Date(left.dataset.due).getTime();
  const tick = () => {
    const minutes = Math.ceil((due - Date.now()) / 60000);
    const parts = [[Math.floor(minutes / 1440), 'd'], [Math.floor((minutes % 1440) / 60), 'h'], [minutes % 60, 'min']].filter(([number]) => number).slice(0, 2);
    left.textContent = minutes > 0 ? ` · ${parts.map((part) => part.join(' ')).join(' ')} left` : '';
  };
  tick();
  setInterval(tick, 15000);
}
