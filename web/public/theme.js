// Sets the theme before the first paint; blocking on purpose, so that nothing flashes. Its twin is src/ui/theme.ts.
{
  let choice = null;
  try {
    choice = localStorage.getItem('portia-theme');
  } catch {
    // Storage can be forbidden; the system then decides.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
  if (dark) document.querySelector('meta[name="theme-color"]')?.setAttribute('content', '#131a29');
}
