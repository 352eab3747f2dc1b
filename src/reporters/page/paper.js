// Paper has nothing to unfold, and is light.
const unfolded = [];
let themeBefore;
addEventListener('beforeprint', () => {
  if (store.unpacked !== null) for (const index of store.holders.keys()) store.fill(index);
  for (const details of $('details:not([open]):not(.exchange)')) {
    details.open = true;
    unfolded.push(details);
  }
  themeBefore = root.dataset.theme;
  root.dataset.theme = 'light';
  for (const repaint of repaints) repaint();
});
addEventListener('afterprint', () => {
  for (const details of unfolded.splice(0)) details.open = false;
  if (themeBefore === undefined) delete root.dataset.theme;
  else root.dataset.theme = themeBefore;
  for (const repaint of repaints) repaint();
});
