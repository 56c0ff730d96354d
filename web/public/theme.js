// Sets the theme before the first paint, and again when the system's changes; blocking on purpose, so that nothing flashes.
// Its twin, for those who choose, is src/ui/theme.ts.
{
  const system = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => {
    let choice = null;
    try {
      choice = localStorage.getItem('portia-theme');
    } catch {
      // Storage can be forbidden; the system then decides.
    }
    const dark = choice === 'dark' || (choice !== 'light' && system.matches);
    document.documentElement.classList.toggle('dark', dark);
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#131a29' : '#ffffff');
  };
  paint();
  system.addEventListener('change', paint);
}
