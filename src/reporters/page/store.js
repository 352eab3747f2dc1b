// The store: markup of folds and data of charts, unpacked once, when something first asks for it or the page has time.
/** Text of an element that holds base64 of gzip. */
async function unpack(id) {
  const packed = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

/** `holders[n]` is the element that fold n belongs into; `unpacked` is null until the store is read. */
const store = { holders: [], unpacked: null, reading: null };
for (const holder of $('[data-fold]')) store.holders[Number(holder.dataset.fold)] = holder;

store.read = () => {
  store.reading ??= unpack('store').then((text) => {
    store.unpacked = JSON.parse(text);
    return store.unpacked;
  });
  return store.reading;
};

/** Puts the markup of a fold in its place, once. It was escaped when it was made. */
store.fill = (index) => {
  const holder = store.holders[index];
  if (holder === undefined || holder.dataset.fold === undefined) return;
  delete holder.dataset.fold;
  holder.insertAdjacentHTML('beforeend', store.unpacked.folds[index]);
  for (const enliven of enliveners) enliven(holder, index);
};

addEventListener(
  'toggle',
  async ({ target }) => {
    if (!target.open || target.dataset.fold === undefined) return;
    await store.read();
    store.fill(Number(target.dataset.fold ?? -1));
  },
  true,
);

// Read while the reader reads the first screen: then paper, search and links need not wait.
addEventListener('load', () => {
  (window.requestIdleCallback ?? setTimeout)(() => store.read());
});
