// Copy: the text as shown; selected for the reader where the clipboard is refused.
function enableCopy(within) {
  for (const button of $('[data-copy][hidden]', within)) {
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
}
enableCopy(document);
enliveners.add(enableCopy);
