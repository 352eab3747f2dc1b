// Paper is light. It holds the first screen, the causes with what was expected and found, and the gaps; the rest stays
// folded as it is, so that a reader who wants more unfolds it before printing.
const unfolded = [];
let themeBefore;
addEventListener('beforeprint', () => {
  for (const details of $(
    '.group.violation:not([open]), #untested:not([open]), header details:has(#gaps):not([open])',
  )) {
    const fold = details.dataset.fold;
    if (fold !== undefined && store.unpacked !== null) store.fill(Number(fold));
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
