// Deep links: whatever holds the target is unfolded, unpacked where it has to be, and the target gets the focus.
/** Ids are made of these characters only, whatever the target of the run sent. */
const LINKABLE = /^[A-Za-z0-9/{}._-]+$/;

function wantedId() {
  const id = location.hash.slice(1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // A malformed escape is taken literally.
  }
}

async function reveal() {
  const id = wantedId();
  if (!LINKABLE.test(id)) return;
  if (document.getElementById(id) === null) {
    const { folds } = await store.read();
    store.fill(folds.findIndex((markup) => markup.includes(` id="${id}"`)));
  }
  const target = document.getElementById(id);
  if (target === null) return;
  for (let node = target; node !== null; node = node.parentElement) {
    if (node.hidden) clearFilter();
    if (node.tagName !== 'DETAILS') continue;
    if (node.dataset.fold !== undefined) {
      await store.read();
      store.fill(Number(node.dataset.fold));
    }
    node.open = true;
  }
  for (const marked of $('[data-reached]')) delete marked.dataset.reached;
  target.dataset.reached = '';
  target.scrollIntoView();
  if (!target.matches('a, button, input, summary')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

addEventListener('hashchange', reveal);
addEventListener('load', reveal);
// A link to where the page already is scrolls there once more.
addEventListener('click', ({ target }) => {
  const link = target.closest?.('a[href^="#"]');
  if (link !== null && link !== undefined && link.hash === location.hash) reveal();
});
