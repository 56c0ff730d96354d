// Sets the theme before the first paint and when the system's theme changes. The script blocks to avoid a flash of
// the wrong theme; a build puts it before preload.js (vite-preload.ts). src/ui/theme.ts handles the member's choice.
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
