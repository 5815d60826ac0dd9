// A new event has the zone of this browser, chosen from a list.
import { $, h } from './dom.js';

const zone = $('#zone');
if (zone) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone) zone.value = timeZone;
  $('#zones').append(...(Intl.supportedValuesOf?.('timeZone') ?? []).map((value) => h('option', { value })));
}
