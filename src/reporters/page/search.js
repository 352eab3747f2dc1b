// Search and filter. An item is found when it, with what it stands in, has every word, and its state fits. What is packed
// away is searched as text and unpacked only to be shown.
const form = document.querySelector('.filter');
const searchBox = document.getElementById('search');
const stateBox = document.getElementById('state');
const shown = document.getElementById('shown');
/** Folds with findings are opened for the reader while they are so few. */
const OPENED = 3;

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const plain = (markup) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity])
    .toLowerCase();

/** The items of a fold: text and state of each, in their order; their elements come when it is unpacked. */
function itemsOf(markup) {
  const [, ...pieces] = markup.split(' data-item');
  return pieces.map((piece) => ({
    text: plain(`<a${piece}`),
    state: /^ data-state="([^"]*)"/.exec(piece)?.[1] ?? '',
    found: true,
  }));
}

let entries = null;

/** The page's outermost items, and the folds that stand in none, each with the items within it. */
function indexPage(folds) {
  if (entries !== null) return entries;
  const apart = store.holders.filter((holder) => holder.closest('[data-item]') === null);
  const outer = $('[data-item]').filter((item) => item.parentElement.closest('[data-item]') === null);
  const entryOf = new Map([...outer, ...apart].map((element) => [element, entryFor(element)]));
  for (const [index, markup] of folds.entries()) {
    const holder = store.holders[index];
    const entry = entryOf.get(holder.closest('[data-item]') ?? holder);
    // A fold that is unpacked already was read with the page.
    if (entry === undefined || entry.items.length > 0) continue;
    const items = itemsOf(markup);
    if (items.length === 0) entry.text += ` ${plain(markup)}`;
    else Object.assign(entry, { fold: index, items });
  }
  entries = [...entryOf.values()];
  return entries;
}

function entryFor(element) {
  const items = $('[data-item]', element).map((item) => ({
    text: item.textContent.toLowerCase(),
    state: item.dataset.state,
    found: true,
    element: item,
  }));
  const own = items.length > 0 || element.dataset.fold !== undefined ? element.firstElementChild : element;
  const around = element.closest('.service')?.querySelector('h3')?.textContent ?? '';
  const text = `${around} ${own.textContent}`.toLowerCase();
  return { element, text, state: element.dataset.state ?? '', fold: store.holders.indexOf(element), items };
}

/** Marks what is found in the entry; says how much that is. */
function look(entry, words, state) {
  const has = (text) => words.every((word) => text.includes(word));
  const fits = (one) => state === '' || one === state;
  for (const item of entry.items) item.found = fits(item.state) && has(`${entry.text} ${item.text}`);
  const inside = entry.items.filter(({ found }) => found).length;
  const itself = entry.element.dataset.item !== undefined && fits(entry.state) && has(entry.text);
  entry.element.hidden = inside === 0 && !itself;
  return inside > 0 ? inside : Number(itself);
}

/** Hides what is not found within the entry, where it is unpacked. */
function hideInside({ items }) {
  for (const { element, found } of items) if (element !== undefined) element.hidden = !found;
}

async function filter() {
  const words = searchBox.value.toLowerCase().split(/\s+/).filter(Boolean);
  const state = stateBox.value;
  const active = words.length > 0 || state !== '';
  const { folds } = await store.read();
  const all = indexPage(folds);
  const counts = all.map((entry) => look(entry, words, state));
  const visible = all.filter((_, index) => counts[index] > 0);
  const toOpen = visible.filter(({ items }) => items.length > 0);
  for (const entry of all) {
    const { element, items } = entry;
    const found = active && !element.hidden ? `${items.filter((item) => item.found).length || 1} found` : '';
    if (element.tagName === 'DETAILS') element.dataset.hits = found;
    hideInside(entry);
  }
  if (active && toOpen.length <= OPENED) for (const entry of toOpen) show(entry);
  for (const section of $('[data-section]').reverse())
    section.hidden =
      active && !$('[data-item], [data-hits]', section).some((one) => !one.hidden && one.dataset.hits !== '');
  openShelves(active);
  const count = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
  const total = count(all.map(({ items }) => Math.max(1, items.length)));
  shown.textContent = active ? `${count(counts)} of ${total}` : '';
}

/** Shelves open while something is searched for, and close again as they were. */
const opened = new Set();
function openShelves(active) {
  if (!active) {
    for (const shelf of opened) shelf.open = false;
    opened.clear();
    return;
  }
  for (const shelf of $('details.shelf:not([open])')) {
    if (shelf.hidden || shelf.querySelector('[data-item], [data-fold]') === null) continue;
    shelf.open = true;
    opened.add(shelf);
  }
}

function show({ element, fold }) {
  store.fill(fold);
  if (element.tagName === 'DETAILS') element.open = true;
}

enliveners.add((holder, index) => {
  const entry = entries?.find(({ fold }) => fold === index);
  if (entry === undefined) return;
  for (const [at, element] of $('[data-item]', holder).entries()) entry.items[at].element = element;
  hideInside(entry);
});

function clearFilter() {
  searchBox.value = '';
  stateBox.value = '';
  filter();
}

let pending = 0;
searchBox.addEventListener('input', () => {
  clearTimeout(pending);
  pending = setTimeout(filter, 80);
});
stateBox.addEventListener('change', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;
addEventListener('keydown', (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    searchBox.focus();
  } else if (event.key === 'Escape' && document.activeElement === searchBox) {
    clearFilter();
  }
});
