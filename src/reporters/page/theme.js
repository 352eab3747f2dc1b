// Theme: the system's until the reader chooses.
const themeButton = document.getElementById('theme');
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const rememberedTheme = () => {
  try {
    return localStorage.getItem('assay-theme');
  } catch {
    return null; // Storage is refused to some local files: the choice then lasts as long as the page.
  }
};
const isDark = () => (root.dataset.theme ?? (systemDark.matches ? 'dark' : 'light')) === 'dark';
const showTheme = () => {
  themeButton.textContent = isDark() ? 'Light' : 'Dark';
  themeButton.setAttribute('aria-label', `Switch to the ${isDark() ? 'light' : 'dark'} theme`);
  for (const repaint of repaints) repaint();
};
if (['light', 'dark'].includes(rememberedTheme())) root.dataset.theme = rememberedTheme();
themeButton.hidden = false;
showTheme();
systemDark.addEventListener('change', showTheme);
themeButton.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  try {
    localStorage.setItem('assay-theme', root.dataset.theme);
  } catch {
    // As above.
  }
  showTheme();
});
