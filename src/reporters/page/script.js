// Filter, deep links, copy and theme. Without it the page reads the same; nothing is fetched or stored but the theme.
(() => {
  const $ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const root = document.documentElement;

  // Theme: the system's until the reader chooses.
  const theme = document.getElementById('theme');
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const remembered = () => {
    try {
      return localStorage.getItem('assay-theme');
    } catch {
      return null; // Storage is refused to some local files: the choice then lasts as long as the page.
    }
  };
  const isDark = () => (root.dataset.theme ?? (systemDark.matches ? 'dark' : 'light')) === 'dark';
  const label = () => {
    theme.textContent = isDark() ? 'Light' : 'Dark';
    theme.setAttribute('aria-label', `Switch to the ${isDark() ? 'light' : 'dark'} theme`);
  };
  if (['light', 'dark'].includes(remembered())) root.dataset.theme = remembered();
  theme.hidden = false;
  label();
  systemDark.addEventListener('change', label);
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem('assay-theme', root.dataset.theme);
    } catch {
      // As above.
    }
    label();
  });

  // Deep links: unfold whatever holds the target.
  const reveal = () => {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      // A malformed escape is taken literally.
    }
    const target = document.getElementById(id);
    if (target === null) return;
    for (let node = target; node !== null; node = node.parentElement) {
      if (node.tagName === 'DETAILS') node.open = true;
      if (node.hidden) clearFilter();
    }
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);

  // Filter: an item shows when its text has every word and its state fits; a section when one of its items shows.
  const form = document.querySelector('.filter');
  const search = document.getElementById('search');
  const state = document.getElementById('state');
  const shown = document.getElementById('shown');
  const items = $('[data-item]');
  const sections = $('[data-section]').reverse();
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const active = words.length > 0 || state.value !== '';
    let count = 0;
    for (const item of items) {
      const fits = state.value === '' || item.dataset.state === state.value;
      item.hidden = !(fits && words.every((word) => textOf(item).includes(word)));
      if (!item.hidden) count += 1;
    }
    for (const section of sections) {
      section.hidden = active && section.querySelector('[data-item]:not([hidden])') === null;
      if (active && !section.hidden && section.tagName === 'DETAILS') section.open = true;
    }
    shown.textContent = active ? `${count} of ${items.length}` : '';
  };
  const clearFilter = () => {
    search.value = '';
    state.value = '';
    filter();
  };
  let pending = 0;
  search.addEventListener('input', () => {
    clearTimeout(pending);
    pending = setTimeout(filter, 80);
  });
  state.addEventListener('change', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && document.activeElement === search) {
      clearFilter();
    }
  });

  // Copy: the text as shown; selected for the reader where the clipboard is refused.
  for (const button of $('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const code = button.parentElement.querySelector('code');
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = 'Selected';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1600);
    });
  }

  // Paper has nothing to unfold.
  const unfolded = [];
  addEventListener('beforeprint', () => {
    for (const details of $('details:not([open]):not(.exchange)')) {
      details.open = true;
      unfolded.push(details);
    }
  });
  addEventListener('afterprint', () => {
    for (const details of unfolded.splice(0)) details.open = false;
  });

  reveal();
})();
